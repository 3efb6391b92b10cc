"""Reads the IDX format, in which MNIST is published.

A file has two zero bytes, a type code (8: uint8), the number of dimensions, each dimension as a
big-endian uint32, and the values in C order. http://yann.lecun.com/exdb/mnist/ describes it.

    >>> decode(bytes([0, 0, 8, 1, 0, 0, 0, 3, 5, 0, 4]), dimensions=1, source="labels")
    array([5, 0, 4], dtype=uint8)
"""

from __future__ import annotations

import math

import numpy as np

from modern.data.arrays import DataError

_UINT8 = 8


def decode(content: bytes, dimensions: int, source: str) -> np.ndarray:
    """Returns the array in an IDX file of unsigned bytes.

    Args:
      content: The whole file, unpacked.
      dimensions: The number of dimensions that the array must have: 3 for images, 1 for labels.
      source: The file, for the message.

    Returns:
      A uint8 array with that number of dimensions.

    Raises:
      DataError: The magic number is another one, or the length differs from the header.
    """
    magic = bytes([0, 0, _UINT8, dimensions])
    if content[:4] != magic:
        raise DataError(
            f"{source}: found the magic number {content[:4].hex() or 'nothing'}, expected "
            f"{magic.hex()} (IDX, uint8, {dimensions} dimensions). Were files swapped or "
            "renamed?"
        )
    start = 4 + 4 * dimensions
    if len(content) < start:
        raise DataError(f"{source}: cut short in the header. Fetch the file again")
    shape = tuple(int(size) for size in np.frombuffer(content[4:start], ">u4"))
    if len(content) != start + math.prod(shape):
        raise DataError(
            f"{source}: found {len(content) - start} bytes of values, expected {math.prod(shape)} "
            f"for the shape {shape} in the header. Fetch the file again"
        )
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)
