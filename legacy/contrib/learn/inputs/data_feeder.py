"""Feeders of arrays (`x`, `y`), which contrib.learn accepts instead of an input function.

    feeder = DataFeeder(x, y, batch_size=32, shuffle=True, epochs=None)
    features, labels = feeder.input_builder()
    session.run(fetches, feeder.get_feed_dict_fn()())

A new program writes an input function with tf.data.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

_SHUFFLE_SEED = 42


class DataFeeder:
    """Feeds arrays, or dicts of arrays.

    Args:
      x: Features: NumPy arrays or pandas objects of shape [examples, ...].
      y: Labels, or None.
      batch_size: Number of examples in a batch. None is all of them.
      shuffle: If true, shuffles each epoch. The seed is fixed, so every run has the same order.
      epochs: Number of epochs. None repeats forever.

    Raises:
      ValueError: The batch size is not positive.
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        batch_size: int | None = None,
        shuffle: bool = True,
        epochs: int | None = None,
    ) -> None:
        self._x, self._y = _arrays(x), _arrays(y)
        self._examples = len(next(iter(_by_name(self._x, "").values())))
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"Invalid batch_size {batch_size}.")
        self._batch_size = batch_size or self._examples
        self._epochs = epochs
        self._order = np.random.RandomState(_SHUFFLE_SEED) if shuffle else None
        self._indices = self._shuffle()
        self._offset = 0
        self._epoch = 0

    def _shuffle(self) -> np.ndarray:
        if self._order is None:
            return np.arange(self._examples)
        return self._order.permutation(self._examples)

    def input_builder(self) -> tuple[Any, Any]:
        """Returns the placeholders of features and labels. It serves as the input function."""
        self._inputs = _placeholders(self._x, "input", _feature_batch)
        self._outputs = _placeholders(self._y, "output", _label_batch)
        return self._inputs, self._outputs

    def get_feed_dict_fn(self) -> Callable[[], dict[str, Any]]:
        """Returns the function that returns the next batch by placeholder.

        The function raises StopIteration after the last epoch, which ends a MonitoredSession.
        """

        def feed() -> dict[str, Any]:
            if self._epochs is not None and self._epoch >= self._epochs:
                raise StopIteration
            rows = self._indices[self._offset : self._offset + self._batch_size]
            self._offset += self._batch_size
            if self._offset >= self._examples:
                self._indices, self._offset = self._shuffle(), 0
                self._epoch += 1
            return {
                **_feed(self._inputs, self._x, rows, _feature_batch),
                **_feed(self._outputs, self._y, rows, _label_batch),
            }

        return feed


class StreamingDataFeeder:
    """Feeds the elements of iterators, example by example.

    Args:
      x: An iterator over features.
      y: An iterator over labels, or None.
      batch_size: Number of examples in a batch. None is 1.
    """

    def __init__(self, x: Any, y: Any, batch_size: int | None = None) -> None:
        self._x, self._first_x = _peek(x)
        self._y, self._first_y = (None, None) if y is None else _peek(y)
        self._batch_size = batch_size or 1

    def input_builder(self) -> tuple[Any, Any]:
        """Returns the placeholders of features and labels. It serves as the input function."""
        self._inputs = _placeholders(_add_batch_dimension(self._first_x), "input", _feature_batch)
        self._outputs = _placeholders(_add_batch_dimension(self._first_y), "output", _label_batch)
        return self._inputs, self._outputs

    def get_feed_dict_fn(self) -> Callable[[], dict[str, Any]]:
        """Returns the function that returns the next batch by placeholder."""

        def feed() -> dict[str, Any]:
            x = list(itertools.islice(self._x, self._batch_size))
            if not x:
                raise StopIteration
            everything = slice(None)
            feed_dict = _feed(self._inputs, _stack(x), everything, _feature_batch)
            if self._y is not None:
                y = _stack(list(itertools.islice(self._y, len(x))))
                feed_dict.update(_feed(self._outputs, y, everything, _label_batch))
            return feed_dict

        return feed


def make_feeder(
    x: Any, y: Any, batch_size: int | None, shuffle: bool, epochs: int | None
) -> DataFeeder | StreamingDataFeeder:
    """Returns the feeder for arrays or for iterators.

    Args:
      x: Arrays, or an iterator.
      y: Arrays or an iterator, as `x`, or None.
      batch_size: Number of examples in a batch.
      shuffle: If true, shuffles arrays.
      epochs: Number of epochs, for arrays.

    Raises:
      ValueError: Only `x` is an iterator, or the batch size is not positive.
    """
    if hasattr(x, "__next__"):
        if y is not None and not hasattr(y, "__next__"):
            raise ValueError("Both x and y should be iterators for streaming learning to work.")
        return StreamingDataFeeder(x, y, batch_size)
    return DataFeeder(x, y, batch_size, shuffle, epochs)


def _arrays(data: Any) -> Any:
    if data is None:
        return None
    return {k: np.asarray(v) for k, v in data.items()} if type(data) is dict else np.asarray(data)


def _by_name(data: Any, name: str) -> dict[str, Any]:
    if data is None:
        return {}
    return {f"{name}_{k}": v for k, v in data.items()} if isinstance(data, dict) else {name: data}


def _feature_batch(values: np.ndarray) -> np.ndarray:
    """Reshapes features to at least two dimensions."""
    return values.reshape(-1, 1) if values.ndim == 1 else values


def _label_batch(values: np.ndarray) -> np.ndarray:
    """Removes a second dimension of size 1 from labels."""
    return values[:, 0] if values.ndim > 1 and values.shape[1] == 1 else values


def _placeholders(data: Any, name: str, batch: Callable[[Any], Any]) -> Any:
    def make_placeholder(values: np.ndarray, name: str) -> tf.Tensor:
        values = batch(values[:1])
        return tf1.placeholder(tf.as_dtype(values.dtype), [None, *values.shape[1:]], name=name)

    if data is None:
        return None
    if isinstance(data, dict):
        return {key: make_placeholder(values, f"{name}_{key}") for key, values in data.items()}
    return make_placeholder(data, name)


def _feed(
    placeholders: Any, data: Any, rows: Any, batch: Callable[[Any], Any]
) -> dict[str, np.ndarray]:
    keys, values = _by_name(placeholders, ""), _by_name(data, "")
    return {keys[name].name: batch(value[rows]) for name, value in values.items() if name in keys}


def _peek(iterator: Any) -> tuple[Any, Any]:
    first_item = next(iterator)
    return itertools.chain([first_item], iterator), first_item


def _add_batch_dimension(example: Any) -> Any:
    return None if example is None else _stack([example])


def _stack(examples: list[Any]) -> Any:
    if isinstance(examples[0], dict):
        return {name: np.stack([example[name] for example in examples]) for name in examples[0]}
    return np.stack([np.asarray(example) for example in examples])
