"""What a data set is, and the checks that every array read from a user's file must pass.

>>> import numpy as np
>>> check_labels(np.array([[3], [7]], np.uint8), count=2, source="labels.npy")
array([3, 7])
>>> check_labels(np.array([3, 10]), count=2, source="labels.npy")
Traceback (most recent call last):
...
modern.data.arrays.DataError: labels.npy: found labels from 3 to 10, expected classes from 0 to 9
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

CLASSES = 10

Features = np.ndarray | Mapping[str, np.ndarray]


class DataError(ValueError):
    """A data set that cannot be had or used; the message says what to do."""


@dataclasses.dataclass(frozen=True)
class ArrayDataset:
    """A data set in memory, split into what trains and what evaluates.

    Attributes:
      name: the data set's name.
      train_features: images uint8 (N, H, W) or (N, H, W, C), values 0 to 255; for a regression
        float32 (N, D); for a table a dict of its columns, (N,) each.
      train_labels: classes int64 (N,); for a regression or a yes or no float32 (N, 1).
      test_features: like `train_features`.
      test_labels: like `train_labels`.
      best: of made-up data, the best value that a metric can be expected to reach on the test
        split, by the metric's name.
    """

    name: str
    train_features: Features
    train_labels: np.ndarray
    test_features: Features
    test_labels: np.ndarray
    best: Mapping[str, float] = dataclasses.field(default_factory=dict)


def check_images(images: np.ndarray, image_shape: tuple[int, ...], source: str) -> np.ndarray:
    """Returns `images` if they are what the data set's files hold.

    Args:
      images: the array as it was read.
      image_shape: the shape of one image.
      source: the file, and the place in it, for the message.

    Returns:
      The images, uint8 (N, *image_shape), N at least 1.

    Raises:
      DataError: another dtype, another shape, or no image.
    """
    expected = f"({', '.join(['N', *map(str, image_shape)])})"
    if images.shape[1:] != image_shape or images.ndim != len(image_shape) + 1:
        raise DataError(
            f"{source}: found images of shape {images.shape}, expected {expected}; "
            "is this the file of another data set?"
        )
    if images.dtype != np.uint8:
        raise DataError(
            f"{source}: found images of dtype {images.dtype}, expected uint8 with values 0 to 255; "
            "store the pixels unscaled"
        )
    if not len(images):
        raise DataError(f"{source}: found no image, expected {expected} with N of at least 1")
    return images


def check_labels(labels: np.ndarray, count: int, source: str) -> np.ndarray:
    """Returns `labels` as class numbers, one for each image.

    Args:
      labels: integers of any width, (N,) or (N, 1).
      count: the number of images that they belong to.
      source: the file, and the place in it, for the message.

    Returns:
      The labels, int64 (count,), 0 to 9.

    Raises:
      DataError: not integers, another shape, another count than the images, or not a class.
    """
    if not np.issubdtype(labels.dtype, np.integer):
        raise DataError(f"{source}: found labels of dtype {labels.dtype}, expected integers")
    if labels.ndim not in (1, 2) or labels.shape[1:] not in ((), (1,)):
        raise DataError(
            f"{source}: found labels of shape {labels.shape}, expected (N,) or (N, 1); "
            "store class numbers, not one-hot rows"
        )
    if len(labels) != count:
        raise DataError(
            f"{source}: found {len(labels)} labels for {count} images, expected as many labels as "
            "images; take both from one copy of the data set"
        )
    low, high = int(labels.min()), int(labels.max())
    if low < 0 or high >= CLASSES:
        raise DataError(
            f"{source}: found labels from {low} to {high}, expected classes from 0 to {CLASSES - 1}"
        )
    return labels.reshape(-1).astype(np.int64)
