"""numpy_input_fn, which creates an input function for arrays in memory.

>>> import numpy as np
>>> import tensorflow as tf
>>> input_fn = numpy_input_fn({"x": np.arange(3)}, np.arange(3), batch_size=2, shuffle=False)
>>> with tf.Graph().as_default():
...     features, labels = input_fn()
...     with tf.compat.v1.train.MonitoredSession() as session:
...         session.run(labels).tolist()
[0, 1]
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from legacy.estimator.inputs.queues.feeding_functions import enqueue_data

_LABELS = "__target_key__"
_ARRAY = "__direct_np_input__"


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """Returns an input function that feeds arrays through a queue.

    Args:
      x: An array, or a dict of arrays. Rows are along the first dimension.
      y: Labels: an array, a dict of arrays, or None.
      batch_size: Rows per batch. Only the last batch of the last epoch may be smaller.
      num_epochs: Number of epochs. None repeats the data forever.
      shuffle: True or False. Required.
      queue_capacity: Maximum number of rows in the queue.
      num_threads: Number of threads that fill the queue. Only a single thread keeps the order.

    Returns:
      A function without arguments that returns (features, labels), or only the features if `y` is
      None. They are tensors or dicts of tensors, in the structure of `x` and `y`.

    Raises:
      ValueError: If `shuffle` is not a bool. The input function raises ValueError if `x` or `y` is
        empty, if they share a key, or if lengths differ. It raises TypeError if `x` is neither an
        array nor a dict.
    """
    check_shuffle(shuffle)

    def input_fn() -> Any:
        columns = _features(x)
        feature_keys = list(columns)
        label_keys = _add_labels(columns, y)
        _check_lengths(columns, feature_keys)
        queue = enqueue_data(
            columns,
            queue_capacity,
            shuffle=shuffle,
            num_threads=num_threads,
            enqueue_size=batch_size,
            num_epochs=num_epochs,
        )
        # The first component is the number of the row.
        values = dict(zip(columns, dequeue(queue, batch_size, num_epochs)[1:], strict=True))
        is_array = isinstance(x, np.ndarray)
        features = values[_ARRAY] if is_array else {key: values[key] for key in feature_keys}
        if y is None:
            return features
        if isinstance(y, dict):
            return features, {key: values[key] for key in label_keys}
        return features, values[label_keys[0]]

    return input_fn


def check_shuffle(shuffle: Any) -> None:
    """Raises ValueError unless `shuffle` is True or False."""
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it "
            f"as True for training); got {shuffle}"
        )


def dequeue(queue: Any, batch_size: int, num_epochs: int | None) -> list[Any]:
    """Returns the tensors of the next batch.

    Args:
      queue: The queue.
      batch_size: Number of rows per batch.
      num_epochs: Number of epochs. None means that the data never ends, so that all batches are
        full.
    """
    return queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)


def _features(x: Any) -> collections.OrderedDict[str, np.ndarray]:
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return _sort_columns(x)
    if isinstance(x, np.ndarray):
        if x.size == 0:
            raise ValueError("x cannot be an empty array")
        return collections.OrderedDict({_ARRAY: x})
    raise TypeError(f"x must be a dict or array; got {type(x).__name__}")


def _sort_columns(columns: dict[str, np.ndarray]) -> collections.OrderedDict[str, np.ndarray]:
    return collections.OrderedDict(sorted(columns.items(), key=lambda item: item[0]))


def _add_labels(columns: collections.OrderedDict[str, np.ndarray], y: Any) -> list[str]:
    """Adds the labels to the columns and returns their keys."""
    if y is None:
        return []
    if not isinstance(y, dict):
        key = _LABELS
        while key in columns:
            key += "_n"
        columns[key] = y
        return [key]
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    duplicates = set(columns) & set(y)
    if duplicates:
        raise ValueError(
            f"{len(duplicates)} duplicate keys are found in both x and y: {duplicates}"
        )
    columns.update(_sort_columns(y))
    return sorted(y)


def _check_lengths(
    columns: collections.OrderedDict[str, np.ndarray], feature_keys: list[str]
) -> None:
    shapes = {key: array.shape for key, array in columns.items()}
    if len({shape[0] for shape in shapes.values()}) != 1:
        in_x = {key: shapes.pop(key) for key in feature_keys}
        raise ValueError(
            "Length of tensors in x and y is mismatched. All elements in x and y must have the "
            f"same length.\nShapes in x: {in_x}\nShapes in y: {shapes or None}\n"
        )
