"""The UCI optical digits: a real data set, small enough to be part of the package.

    >>> digits = load((32, 32))
    >>> digits.train_features.shape, digits.test_features.shape
    ((1287, 32, 32), (510, 32, 32))

README.md in this folder describes the origin of `digits.npz` and the reason for its split.
"""

from __future__ import annotations

import pathlib

import numpy as np

from modern.data import images
from modern.data.arrays import ArrayDataset

FILE = pathlib.Path(__file__).with_name("digits.npz")

# The first row of the last four forms. No form is in both splits.
TEST_START = 1287

_LARGEST_COUNT = 16


def load(size: tuple[int, int]) -> ArrayDataset:
    """Returns the digits, resized.

    Args:
      size: (height, width) of the images.

    Returns:
      The data set, always in the same order: features uint8 (N, *size), 0 to 255, and labels int64
      (N,). N is 1,287 for training and 510 for testing. A class has 127 to 131 and 47 to 52 of
      them.
    """
    with np.load(FILE, allow_pickle=False) as npz:
        counts, labels = npz["images"], npz["labels"].astype(np.int64)
    pixels = images.resize(counts, size) * (255 / _LARGEST_COUNT)
    pixels = np.rint(pixels).astype(np.uint8)
    # RandomState, because its streams never change between NumPy versions. Generator's may.
    order = np.random.RandomState(0).permutation(TEST_START)
    return ArrayDataset(
        "digits", pixels[order], labels[order], pixels[TEST_START:], labels[TEST_START:]
    )
