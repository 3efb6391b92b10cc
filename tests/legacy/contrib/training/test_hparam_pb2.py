"""Test of hyperparameters as a protocol buffer."""

from legacy.contrib.training import hparam_pb2


def test_the_bytes_are_those_of_tensorflow_1():
    made = hparam_pb2.HParamDef()
    made.hparam["a"].int64_value = 5
    made.hparam["b"].bytes_list.value.append(b"x")
    made.hparam["c"].bool_value = True
    # Each entry is field 1, with the key in its field 1 and the value in its field 2.
    entries = {
        b"\x0a\x01a\x12\x02\x08\x05",
        b"\x0a\x01b\x12\x05\x32\x03\x0a\x01x",
        b"\x0a\x01c\x12\x02\x38\x01",
    }
    data = made.SerializeToString()
    found = set()
    while data:
        assert data[0] == 0x0A
        found.add(data[2 : 2 + data[1]])
        data = data[2 + data[1] :]
    assert found == entries
