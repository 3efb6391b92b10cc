"""MNIST, batch by batch: also what tensorflow.examples.tutorials.mnist.input_data was.

data = read_data_sets("/tmp/mnist", one_hot=True)
images, labels = data.train.next_batch(100)  # float32 (100, 784), float64 (100, 10)
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.learn.datasets.base import Datasets
from modern.data import mnist as files

_PIXELS = 784
_CLASSES = 10


class DataSet:
    """Images and labels, and batches of them.

    Args:
      images: uint8 of [examples, rows, columns, 1].
      labels: Of [examples], or one-hot.
      fake_data: Batches are ones and the label zero, for tests.
      one_hot: Whether fake labels are one-hot.
      dtype: tf.float32 scales to [0, 1]; tf.uint8 leaves the bytes.
      reshape: Make images vectors.
      seed: The order's seed, or None.

    Raises:
      TypeError: Another `dtype`.
      AssertionError: There is not one label for each image.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = tf.float32,
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        dtype = tf.as_dtype(dtype).base_dtype
        if dtype not in (tf.uint8, tf.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self.one_hot = one_hot
        self._num_examples = 10000 if fake_data else len(images)
        if not fake_data:
            if len(images) != len(labels):
                raise AssertionError(f"{len(images)} images and {len(labels)} labels.")
            if reshape:
                images = images.reshape(len(images), -1)
            if dtype == tf.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._random = np.random.RandomState(seed)
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self) -> np.ndarray:
        """The images, in the present epoch's order."""
        return self._images

    @property
    def labels(self) -> np.ndarray:
        """The labels, in the same order."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """How many there are."""
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """How often all were seen."""
        return self._epochs_completed

    def next_batch(
        self, batch_size: int, fake_data: bool = False, shuffle: bool = True
    ) -> tuple[Any, Any]:
        """Returns the next images and labels; a batch may span two epochs.

        Args:
          batch_size: How many.
          fake_data: Return ones and the label zero.
          shuffle: Whether each epoch has an order of its own.
        """
        if fake_data:
            label = [1] + [0] * (_CLASSES - 1) if self.one_hot else 0
            return [[1] * _PIXELS] * batch_size, [label] * batch_size
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        last = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        end -= self._num_examples
        self._index_in_epoch = end
        return (
            np.concatenate([last[0], self._images[:end]]),
            np.concatenate([last[1], self._labels[:end]]),
        )

    def _shuffle(self) -> None:
        order = self._random.permutation(self._num_examples)
        self._images, self._labels = self._images[order], self._labels[order]


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = tf.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str | None = None,
) -> Datasets:
    """Reads MNIST.

    Args:
      train_dir: The folder of its files; where there are none, Keras downloads MNIST to its own
        folder.
      fake_data: Read nothing; see `DataSet`.
      one_hot: Whether labels are one-hot.
      dtype: See `DataSet`.
      reshape: See `DataSet`.
      validation_size: How many of the training's examples are for validation.
      seed: See `DataSet`.
      source_url: Not used.

    Returns:
      `train`, `validation` and `test`.

    Raises:
      ValueError: There are not so many examples, or the files are damaged or cannot be had.
    """
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    if fake_data:
        fake = [DataSet([], [], fake_data=True, one_hot=one_hot, **options) for _ in range(3)]
        return Datasets(*fake)
    # Programs name folders that have something else too, such as "/tmp/data".
    inside = os.listdir(train_dir) if os.path.isdir(train_dir) else []
    has_files = any(name == "mnist.npz" or "-ubyte" in name for name in inside)
    found = files.load(train_dir if has_files else None)
    count = len(found.train_features)
    if not 0 <= validation_size <= count:
        raise ValueError(
            f"Validation size should be between 0 and {count}. Received: {validation_size}."
        )
    labels = [found.train_labels, found.test_labels]
    if one_hot:
        labels = [np.eye(_CLASSES)[each] for each in labels]
    train, test = found.train_features[..., np.newaxis], found.test_features[..., np.newaxis]
    cut = validation_size
    return Datasets(
        train=DataSet(train[cut:], labels[0][cut:], **options),
        validation=DataSet(train[:cut], labels[0][:cut], **options),
        test=DataSet(test, labels[1], **options),
    )


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """Reads MNIST; see `read_data_sets`.

    Args:
      train_dir: The folder of its files.
    """
    return read_data_sets(train_dir)


__getattr__ = _missing.attribute_of("learn.datasets.mnist")
