"""Tests for the values of a conversion, and for the bytes that were written."""

import numpy as np
import pytest

from migrate.checkpoint.conversion import plans, values
from migrate.checkpoint.formats import contents, source
from modern.process import cli


class Arrays(source.Source):
    """A checkpoint in memory."""

    def __init__(self, **arrays):
        self.arrays = arrays
        self.stored = [stored(name, value.shape, value.dtype) for name, value in arrays.items()]

    def read(self, tensor):
        return self.arrays[tensor.name]


def stored(name, shape, dtype="float32"):
    return contents.Stored(name, shape, str(dtype))


def test_scales_casts_and_reshapes():
    old = Arrays(a=np.array([1, 2], np.float32))
    move = plans.Move(stored("b", (2, 1), "float64"), old.stored[0], scale=-0.5)
    value = values.value(move, old, None)

    np.testing.assert_array_equal(value, [[-0.5], [-1.0]])
    assert value.dtype == np.float64
    assert values.origin(move, old, None) is None


def test_takes_a_number_or_the_value_of_the_template():
    old, template = Arrays(), Arrays(kept=np.array([7, 8], np.float32))
    step = plans.Move(stored("step", (), "int64"), value=12)
    kept = plans.Move(template.stored[0])

    assert values.value(step, old, template) == 12
    np.testing.assert_array_equal(values.value(kept, old, template), [7, 8])
    assert values.origin(kept, old, template) == (template, template.stored[0])


def test_groups_small_tensors_and_reads_large_ones_alone_into_two_buffers():
    sizes = {"a": 1, "b": 1, "large": 8, "larger": 9, "c": 2}
    moves = [plans.Move(stored(name, (size,))) for name, size in sizes.items()]
    buffers = []

    def read(move, buffer):
        buffers.append(None if buffer is None else buffer.ctypes.data)
        return move.target.name

    groups = [[value for _, value in group] for group in values.groups(moves, read, max_bytes=32)]
    assert groups == [["a", "b"], ["large"], ["larger"], ["c"]]
    small, large, larger = buffers[0], buffers[2], buffers[3]
    assert small is None
    assert large != larger
    assert large % 64 == larger % 64 == 0


def test_compares_written_bytes(tmp_path):
    path = tmp_path / "data"
    array = np.arange(5, dtype=np.float32)
    path.write_bytes(b"head" + array.tobytes())

    values.check_bytes(str(path), 4, array, "w")
    array[4] = -4
    with pytest.raises(cli.UsageError, match="data: w differs when it is read back"):
        values.check_bytes(str(path), 4, array, "w")


def test_bits_tell_zeros_apart_and_take_nan_for_equal():
    assert values.same_bits(np.array([np.nan, 1]), np.array([np.nan, 1]))
    assert not values.same_bits(np.array([0.0]), np.array([-0.0]))
    assert values.size_of(stored("w", (3, 2), "float16")) == 12
