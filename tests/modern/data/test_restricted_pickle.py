"""Tests that unpickling reads data and runs no function that a pickle names."""

import collections
import pickle

import numpy as np
import pytest

from modern.data import restricted_pickle


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_every_protocol(protocol, order):
    array = np.asarray(np.arange(12, dtype=np.uint8).reshape(3, 4), order=order)
    content = pickle.dumps({"data": array, "labels": [1, 2, 3], b"name": b"batch"}, protocol)
    loaded = restricted_pickle.loads(content)
    np.testing.assert_array_equal(loaded.pop("data"), array)
    assert loaded == {"labels": [1, 2, 3], b"name": b"batch"}


def test_text_of_python_2_is_bytes():
    assert restricted_pickle.loads(b"\x80\x02U\x03a\xffb.") == b"a\xffb"


class Evil:
    def __init__(self, function, *arguments):
        self._call = (function, arguments)

    def __reduce__(self):
        return self._call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_nothing_is_run(protocol, tmp_path):
    content = pickle.dumps({"data": Evil(open, str(tmp_path / "x"), "w")}, protocol)
    pickle.loads(content)["data"].close()  # The unrestricted unpickler opens the file.
    assert (tmp_path / "x").exists()
    (tmp_path / "x").unlink()
    with pytest.raises(restricted_pickle.NotAllowedError, match=r"io\.open, which no data"):
        restricted_pickle.loads(content)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pickle.dumps(collections.OrderedDict()), "collections.OrderedDict, which no data"),
        (b"cnumpy\nload\n.", "numpy.load, which no data"),
        (b"cnumpy\nndarray.tofile\n.", "numpy.ndarray.tofile, which no data"),
        (b"cbuiltins\ngetattr\n.", "builtins.getattr, which no data"),
        (pickle.dumps({"data": np.zeros(3)}), "dtype 'f8', expected uint8"),
        (pickle.dumps({"data": np.array([{}])}), "dtype 'O8', expected uint8"),
        (b"\x80\x02c_codecs\nencode\nX\x01\0\0\0aX\x03\0\0\0hex\x86R.", "bytes written as 'hex'"),
    ],
)
def test_what_is_refused(content, message):
    with pytest.raises(restricted_pickle.NotAllowedError, match=message):
        restricted_pickle.loads(content)
