"""Conversion of images to the shape that a model takes, with NumPy alone.

>>> import numpy as np
>>> resize(np.array([[[0, 16], [0, 16]]]), (1, 4))
array([[[ 0.,  4., 12., 16.]]])
"""

from __future__ import annotations

import dataclasses

import numpy as np

from modern.data.arrays import ArrayDataset, DataError


def check_shape(image_shape: tuple[int, ...]) -> None:
    """Raises DataError unless `image_shape` is (height, width) or (height, width, channels)."""
    if len(image_shape) not in (2, 3) or not all(
        isinstance(size, int) and size > 0 for size in image_shape
    ):
        raise DataError(
            f"image_shape {image_shape}: expected (height, width) or (height, width, channels), "
            "each at least 1"
        )


def check_fits(name: str, source_shape: tuple[int, ...], target_shape: tuple[int, ...]) -> None:
    """Checks that `adapt` can convert the images, before a file is read or downloaded.

    Args:
      name: The name of the data set.
      source_shape: The shape of its images.
      target_shape: The shape that the model takes.

    Raises:
      DataError: The images would have to be cropped, lose their colour, or be padded unevenly.
    """
    margins = [want - have for want, have in zip(target_shape[:2], source_shape[:2], strict=True)]
    grey = len(source_shape) == 2
    if all(m >= 0 and m % 2 == 0 for m in margins) and (
        grey or target_shape[2:] == source_shape[2:]
    ):
        return
    raise DataError(
        f"data set {name!r} has images of shape {source_shape}, and the job's model takes "
        f"{target_shape}: images are not cropped and colour is not dropped. Choose a job that "
        "takes such images, or the data set digits or synthetic, which fit every job"
    )


def adapt(dataset: ArrayDataset, image_shape: tuple[int, ...]) -> ArrayDataset:
    """Pads images with black on all sides and repeats grey in each channel, where necessary.

    Args:
      dataset: Images uint8 (N, H, W) or (N, H, W, C).
      image_shape: (height, width) or (height, width, channels) that the model takes.

    Returns:
      The data set with features uint8 (N, *image_shape).

    Raises:
      DataError: The images do not fit, see `check_fits`.
    """
    train, test = dataset.train_features, dataset.test_features
    # Images are arrays. Only the features of a table are a dict.
    assert isinstance(train, np.ndarray)
    assert isinstance(test, np.ndarray)
    check_fits(dataset.name, train.shape[1:], image_shape)
    return dataclasses.replace(
        dataset,
        train_features=_pad_and_repeat(train, image_shape),
        test_features=_pad_and_repeat(test, image_shape),
    )


def resize(images: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Resizes grey images by bilinear interpolation between pixel centres.

    The edge pixels are extended outwards, as in `tf.image.resize` without antialiasing.

    Args:
      images: (N, H, W), any real dtype.
      size: The new (height, width).

    Returns:
      float64 (N, *size), in the unit of the values.
    """
    rows = _interpolation(images.shape[1], size[0])
    columns = _interpolation(images.shape[2], size[1])
    return rows @ images @ columns.T


def _interpolation(old: int, new: int) -> np.ndarray:
    """Returns the (new, old) matrix that interpolates one axis. Each row sums to 1."""
    centres = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
    low = np.floor(centres).astype(int)
    share = centres - low
    matrix = np.zeros((new, old))
    matrix[np.arange(new), low] = 1 - share
    # The last pixel has no right neighbour, and `share` is 0 there.
    matrix[np.arange(new), np.minimum(low + 1, old - 1)] += share
    return matrix


def _pad_and_repeat(images: np.ndarray, image_shape: tuple[int, ...]) -> np.ndarray:
    margins = [
        (want - have) // 2 for want, have in zip(image_shape[:2], images.shape[1:3], strict=True)
    ]
    if any(margins):
        rest = [(0, 0)] * (images.ndim - 3)
        images = np.pad(images, [(0, 0), *((m, m) for m in margins), *rest])
    if images.ndim == 3 and len(image_shape) == 3:
        images = np.repeat(images[..., np.newaxis], image_shape[2], axis=3)
    return images
