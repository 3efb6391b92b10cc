"""Dataset of arrays, with the batches that `fit(x, y)` of contrib.learn fed.

    model.fit(array_dataset(x, y, batch_size=32, shuffle=True, repeat=True).take(1000))

>>> import numpy as np
>>> [batch.numpy().tolist() for batch in array_dataset(np.array([1, 2, 3]), batch_size=2)]
[[[1], [2]], [[3]]]
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

# The seed of contrib.learn, which shuffled in the same order in each training.
_SEED = 42


def array_dataset(
    x: Any,
    y: Any = None,
    batch_size: int | None = None,
    shuffle: bool = False,
    repeat: bool = False,
) -> tf.data.Dataset:
    """Returns a dataset of features, or of features and labels.

    Features have at least two dimensions, and labels of shape [examples, 1] become [examples]. The
    last batch of an epoch may be smaller.

    Args:
      x: Features: NumPy arrays, pandas objects or lists of shape [examples, ...], or a dict of
        these.
      y: Labels, of the same kind, or None.
      batch_size: Number of examples in a batch. None is all of them.
      shuffle: If true, shuffles each epoch, in the same order in each run.
      repeat: If true, repeats the arrays forever.

    Raises:
      TypeError: The features or labels are an iterator or a tensor.
      ValueError: The batch size is not positive.
    """
    features = _arrays(x, _features)
    data = features if y is None else (features, _arrays(y, _labels))
    # The first array counts the examples, in the order of the dict.
    size = len(next(iter(features.values())) if isinstance(features, dict) else features)
    if batch_size is not None and batch_size <= 0:
        raise ValueError(f"Invalid batch_size {batch_size}.")

    def batches() -> Iterator[Any]:
        for rows in _rows(size, batch_size or size, shuffle, repeat):
            yield tf.nest.map_structure(operator.itemgetter(rows), data)

    specs = tf.nest.map_structure(
        lambda array: tf.TensorSpec([None, *array.shape[1:]], tf.as_dtype(array.dtype)), data
    )
    return tf.data.Dataset.from_generator(batches, output_signature=specs)


def _rows(size: int, batch_size: int, shuffle: bool, repeat: bool) -> Iterator[np.ndarray]:
    """Yields the indices of the examples of each batch."""
    random = np.random.RandomState(_SEED)
    while True:
        order = random.permutation(size) if shuffle else np.arange(size)
        for start in range(0, size, batch_size):
            yield order[start : start + batch_size]
        if not repeat:
            return


def _arrays(data: Any, shaped: Callable[[np.ndarray], np.ndarray]) -> Any:
    """Returns data as arrays of the shape of a batch."""
    if type(data) is dict:
        return {key: shaped(_array(value)) for key, value in data.items()}
    return shaped(_array(data))


def _array(data: Any) -> np.ndarray:
    if hasattr(data, "__next__") or tf.is_tensor(data):
        raise TypeError(
            f"x and y must be arrays, but one is of type {type(data).__name__}. Make a dataset of "
            "it with tf.data."
        )
    return np.asarray(data)


def _features(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1, 1) if array.ndim == 1 else array


def _labels(array: np.ndarray) -> np.ndarray:
    return array[:, 0] if array.ndim > 1 and array.shape[1] == 1 else array
