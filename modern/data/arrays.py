"""The data set class, and the checks that every array from a user's file must pass.

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
from typing import TypeAlias

import numpy as np

CLASSES = 10

Features: TypeAlias = np.ndarray | Mapping[str, np.ndarray]


class DataError(ValueError):
    """A data set that cannot be loaded or used. The message tells how to correct it."""


@dataclasses.dataclass(frozen=True)
class ArrayDataset:
    """A data set in memory, split for training and evaluation.

    Attributes:
      name: The name of the data set.
      train_features: Images uint8 (N, H, W) or (N, H, W, C), values 0 to 255. For a regression
        float32 (N, D). For a table a dict of its columns, (N,) each.
      train_labels: Classes int64 (N,). For a regression or a binary label float32 (N, 1).
      test_features: Features for evaluation, like `train_features`.
      test_labels: Labels for evaluation, like `train_labels`.
      best: For generated data, the best value that a metric is expected to reach on the test split,
        by the name of the metric.
    """

    name: str
    train_features: Features
    train_labels: np.ndarray
    test_features: Features
    test_labels: np.ndarray
    best: Mapping[str, float] = dataclasses.field(default_factory=dict)


def check_images(images: np.ndarray, image_shape: tuple[int, ...], source: str) -> np.ndarray:
    """Returns `images` if they have the dtype and the shape of the data set.

    Args:
      images: The array as it was read.
      image_shape: The shape of one image.
      source: The file, and the place in it, for the message.

    Returns:
      The images, uint8 (N, *image_shape), N at least 1.

    Raises:
      DataError: The array has another dtype, another shape or no image.
    """
    expected = f"({', '.join(['N', *map(str, image_shape)])})"
    if images.shape[1:] != image_shape or images.ndim != len(image_shape) + 1:
        raise DataError(
            f"{source}: found images of shape {images.shape}, expected {expected}. Is this the "
            "file of another data set?"
        )
    if images.dtype != np.uint8:
        raise DataError(
            f"{source}: found images of dtype {images.dtype}, expected uint8 with values 0 to 255. "
            "Store the pixels unscaled"
        )
    if not len(images):
        raise DataError(f"{source}: found no image, expected {expected} with N of at least 1")
    return images


def check_labels(labels: np.ndarray, count: int, source: str) -> np.ndarray:
    """Returns `labels` as class numbers, one for each image.

    Args:
      labels: Integers of any width, (N,) or (N, 1).
      count: The number of images that they belong to.
      source: The file, and the place in it, for the message.

    Returns:
      The labels, int64 (count,), 0 to 9.

    Raises:
      DataError: The labels are not integers, have another shape, differ in number from the images,
        or are not classes.
    """
    if not np.issubdtype(labels.dtype, np.integer):
        raise DataError(f"{source}: found labels of dtype {labels.dtype}, expected integers")
    if labels.ndim not in (1, 2) or labels.shape[1:] not in ((), (1,)):
        raise DataError(
            f"{source}: found labels of shape {labels.shape}, expected (N,) or (N, 1). Store class "
            "numbers, not one-hot rows"
        )
    if len(labels) != count:
        raise DataError(
            f"{source}: found {len(labels)} labels for {count} images, expected as many labels as "
            "images. Take both from one copy of the data set"
        )
    low, high = int(labels.min()), int(labels.max())
    if low < 0 or high >= CLASSES:
        raise DataError(
            f"{source}: found labels from {low} to {high}, expected classes from 0 to {CLASSES - 1}"
        )
    return labels.reshape(-1).astype(np.int64)
