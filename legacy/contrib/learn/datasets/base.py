"""CSV files of numbers as NumPy arrays, and downloads.

data = load_csv_with_header("iris.csv", target_dtype=np.int64, features_dtype=np.float32)
data.data.shape, data.target.shape  # ((120, 4), (120,))
"""

from __future__ import annotations

import collections
import csv
import os
import urllib.request
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib import _missing

Dataset = collections.namedtuple("Dataset", ["data", "target"])
Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


def load_csv_with_header(
    filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    """Reads a CSV file whose first line starts with the numbers of examples and features.

    Args:
      filename: The file.
      target_dtype: NumPy dtype of the labels.
      features_dtype: NumPy dtype of the features.
      target_column: Index of the label column.

    Returns:
      `data` of shape [examples, features] and `target` of shape [examples].

    Raises:
      ValueError: The first line does not match the rest of the file.
    """
    with tf.io.gfile.GFile(filename) as file:
        lines = csv.reader(file)
        header = next(lines)
        examples, features = int(header[0]), int(header[1])
        data = np.zeros((examples, features), dtype=features_dtype)
        target = np.zeros((examples,), dtype=target_dtype)
        num_lines = 0
        for i, line in enumerate(lines):
            if i >= examples:
                raise ValueError(f"{filename}: more lines than the {examples} of its header.")
            target[i] = np.asarray(line.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(line, dtype=features_dtype)
            num_lines += 1
    if num_lines != examples:
        raise ValueError(f"{filename}: {num_lines} lines, and its header says {examples}.")
    return Dataset(data=data, target=target)


def load_csv_without_header(
    filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    """Reads a CSV file in which every line is an example.

    Args:
      filename: The file.
      target_dtype: NumPy dtype of the labels.
      features_dtype: NumPy dtype of the features.
      target_column: Index of the label column.

    Returns:
      `data` of shape [examples, features] and `target` of shape [examples].
    """
    data, target = [], []
    with tf.io.gfile.GFile(filename) as file:
        for line in csv.reader(file):
            target.append(line.pop(target_column))
            data.append(np.asarray(line, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


def load_iris(data_path: str | None = None) -> Dataset:
    """Reads the iris dataset.

    Args:
      data_path: A CSV file with a header. None reads the dataset from scikit-learn.

    Returns:
      `data`, float64 of shape [150, 4], and `target`, int64 of shape [150].

    Raises:
      ImportError: `data_path` is None, and scikit-learn is not installed.
    """
    if data_path:
        return load_csv_with_header(data_path, np.int64, np.float64)
    try:
        from sklearn import datasets
    except ImportError as error:
        raise ImportError(
            "load_iris takes the data from scikit-learn, which is not installed: "
            "pip install scikit-learn, or give data_path."
        ) from error
    iris = datasets.load_iris()
    return Dataset(data=iris.data, target=iris.target)


def load_boston(data_path: str | None = None) -> Dataset:
    """Reads the Boston housing dataset.

    Args:
      data_path: A CSV file with a header.

    Returns:
      `data`, float64 of shape [examples, features], and `target`, float64 of shape [examples].

    Raises:
      NotImplementedError: `data_path` is None, because the dataset is not part of this package.
    """
    if not data_path:
        _missing.refuse("learn.datasets.load_boston")
    return load_csv_with_header(data_path, np.float64, np.float64)


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """Downloads a file, unless it exists.

    Args:
      filename: Name of the file.
      work_directory: Folder of the file, created if it does not exist.
      source_url: URL of the file.

    Returns:
      The path of the file. A failed download leaves no file.
    """
    tf.io.gfile.makedirs(work_directory)
    path = os.path.join(work_directory, filename)
    if not tf.io.gfile.exists(path):
        # Each process downloads to its own file, and renames it when it is complete.
        partial_path = f"{path}.part{os.getpid()}"
        try:
            urllib.request.urlretrieve(source_url, partial_path)
            tf.io.gfile.rename(partial_path, path)
        finally:
            if tf.io.gfile.exists(partial_path):
                tf.io.gfile.remove(partial_path)
    return path


__getattr__ = _missing.attribute_of("learn.datasets.base")
