"""Tests for the checks on arrays from files."""

import numpy as np
import pytest

from modern.data import arrays


def test_images_pass_unchanged():
    images = np.zeros((3, 4, 5), np.uint8)
    assert arrays.check_images(images, (4, 5), "f") is images


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (
            np.zeros((3, 5, 4), np.uint8),
            r"f: found images of shape \(3, 5, 4\), expected \(N, 4",
        ),
        (np.zeros((3, 20), np.uint8), r"f: found images of shape \(3, 20\)"),
        (np.zeros((3, 4, 5, 1), np.uint8), r"f: found images of shape \(3, 4, 5, 1\)"),
        (np.zeros((), np.uint8), r"f: found images of shape \(\)"),
        (np.zeros((3, 4, 5), np.float32), "f: found images of dtype float32, expected uint8"),
        (np.zeros((0, 4, 5), np.uint8), "f: found no image"),
    ],
)
def test_images_of_another_kind(images, message):
    with pytest.raises(arrays.DataError, match=message):
        arrays.check_images(images, (4, 5), "f")


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, ">i4"])
@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_labels_become_int64(dtype, shape):
    labels = arrays.check_labels(np.array([0, 9, 4], dtype).reshape(shape), 3, "f")
    assert labels.dtype == np.int64
    assert labels.tolist() == [0, 9, 4]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros(3, np.float32), "f: found labels of dtype float32, expected integers"),
        (np.zeros(3, bool), "f: found labels of dtype bool"),
        (np.zeros((3, 10), np.uint8), r"f: found labels of shape \(3, 10\).*not one-hot"),
        (np.zeros((), np.uint8), r"f: found labels of shape \(\)"),
        (np.zeros(2, np.uint8), "f: found 2 labels for 3 images"),
        (np.array([0, 10, 1]), "f: found labels from 0 to 10, expected classes from 0 to 9"),
        (np.array([0, -1, 1]), "f: found labels from -1 to 1"),
    ],
)
def test_labels_of_another_kind(labels, message):
    with pytest.raises(arrays.DataError, match=message):
        arrays.check_labels(labels, 3, "f")
