"""Tests for the IDX format."""

import struct

import numpy as np
import pytest

from modern.data import idx
from modern.data.arrays import DataError

IMAGES = struct.pack(">HBBIII", 0, 8, 3, 2, 3, 4) + bytes(range(24))


def test_images():
    images = idx.decode(IMAGES, dimensions=3, source="f")
    np.testing.assert_array_equal(images, np.arange(24, dtype=np.uint8).reshape(2, 3, 4))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "f: found the magic number nothing, expected 00000803"),
        (struct.pack(">HBBI", 0, 8, 1, 2) + b"12", "magic number 00000801, expected 00000803"),
        (struct.pack(">HBBIII", 0, 13, 3, 1, 1, 1) + b"1234", "magic number 00000d03"),
        (IMAGES[:9], "f: cut short in the header"),
        (IMAGES[:-1], r"f: found 23 bytes of values, expected 24 for the shape \(2, 3, 4\)"),
        (IMAGES + b"x", "found 25 bytes of values, expected 24"),
        (struct.pack(">HBBIII", 0, 8, 3, *[2**32 - 1] * 3) + b"12", "found 2 bytes of values"),
    ],
)
def test_what_is_no_idx(content, message):
    with pytest.raises(DataError, match=message):
        idx.decode(content, dimensions=3, source="f")
