"""MNIST in batches. Also replaces tensorflow.examples.tutorials.mnist.input_data.

data = read_data_sets("/tmp/mnist", one_hot=True)
images, labels = data.train.next_batch(100)  # float32 (100, 784), float64 (100, 10)
"""

from __future__ import annotations

import math
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
    """Images and labels, which can be read in batches.

    Args:
      images: Images, uint8 of shape [examples, rows, columns, 1].
      labels: Labels of shape [examples], or one-hot labels.
      fake_data: If true, holds no images, for tests. The number of examples is 10000.
      one_hot: If true, fake labels are one-hot.
      dtype: tf.float32 scales the images to [0, 1]. tf.uint8 keeps the bytes.
      reshape: If true, flattens each image to a vector.
      seed: Seed of the order, or None.

    Raises:
      TypeError: `dtype` is neither tf.float32 nor tf.uint8.
      AssertionError: The numbers of images and labels differ.
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
                # Not -1, which is ambiguous for zero images.
                images = images.reshape(len(images), math.prod(images.shape[1:]))
            if dtype == tf.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._random = np.random.RandomState(seed)
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self) -> np.ndarray:
        """The images, in the order of the current epoch."""
        return self._images

    @property
    def labels(self) -> np.ndarray:
        """The labels, in the order of the images."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """The number of examples."""
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """The number of completed epochs."""
        return self._epochs_completed

    def next_batch(
        self, batch_size: int, fake_data: bool = False, shuffle: bool = True
    ) -> tuple[Any, Any]:
        """Returns the next images and labels. A batch may span two epochs.

        Args:
          batch_size: Number of examples.
          fake_data: If true, returns images of ones and the label 0.
          shuffle: If true, shuffles each epoch.
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
        last_batch = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        end -= self._num_examples
        self._index_in_epoch = end
        return (
            np.concatenate([last_batch[0], self._images[:end]]),
            np.concatenate([last_batch[1], self._labels[:end]]),
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
      train_dir: Folder of the MNIST files. If it has none, Keras downloads MNIST to the folder of
        Keras.
      fake_data: If true, reads nothing. See `DataSet`.
      one_hot: If true, labels are one-hot.
      dtype: Dtype of the images. See `DataSet`.
      reshape: If true, flattens each image to a vector.
      validation_size: Number of training examples that are used for validation.
      seed: Seed of the order, or None.
      source_url: Not used.

    Returns:
      `train`, `validation` and `test`.

    Raises:
      ValueError: `validation_size` is out of range, or the files are damaged or cannot be
        downloaded.
    """
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    if fake_data:
        fake = [DataSet([], [], fake_data=True, one_hot=one_hot, **options) for _ in range(3)]
        return Datasets(*fake)
    # Programs also name folders that hold other files, such as "/tmp/data".
    inside = os.listdir(train_dir) if os.path.isdir(train_dir) else []
    has_files = any(name == "mnist.npz" or "-ubyte" in name for name in inside)
    arrays = files.load(train_dir if has_files else None)
    count = len(arrays.train_features)
    if not 0 <= validation_size <= count:
        raise ValueError(
            f"Validation size should be between 0 and {count}. Received: {validation_size}."
        )
    labels = [arrays.train_labels, arrays.test_labels]
    if one_hot:
        labels = [np.eye(_CLASSES)[label_array] for label_array in labels]
    train, test = arrays.train_features[..., np.newaxis], arrays.test_features[..., np.newaxis]
    num_validation = validation_size
    return Datasets(
        train=DataSet(train[num_validation:], labels[0][num_validation:], **options),
        validation=DataSet(train[:num_validation], labels[0][:num_validation], **options),
        test=DataSet(test, labels[1], **options),
    )


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """Reads MNIST. See `read_data_sets`.

    Args:
      train_dir: Folder of the MNIST files.
    """
    return read_data_sets(train_dir)


__getattr__ = _missing.attribute_of("learn.datasets.mnist")
