"""Fills queues with the rows of arrays, data frames and generators.

>>> import numpy as np
>>> feed_fn = ArrayFeedFn(["rows", "values"], np.array([10, 11, 12]), batch_size=2, num_epochs=1)
>>> [values.tolist() for values in feed_fn().values()]
[[0, 1], [10, 11]]
>>> [values.tolist() for values in feed_fn().values()]
[[2], [12]]

The operations, their names and their order are those of TensorFlow 2.15, because the number of
operations in a graph determines the random numbers of all later operations. Unlike the original,
this module does not seed Python's global random numbers for each input.
"""

from __future__ import annotations

import abc
import collections
import inspect
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.estimator.inputs.queues.feeding_queue_runner import FeedingQueueRunner

tf1 = tf.compat.v1


class _RowsFeedFn(abc.ABC):
    """Returns a feed_dict with the next rows of the data at each call.

    Args:
      placeholders: Placeholders for the index of the row, followed by the columns.
      data: The data.
      batch_size: Number of rows per call. Only the last batch of the last epoch may be smaller.
      random_start: If true, starts at a random row. An epoch then ends before that row.
      seed: Seed of the random start.
      num_epochs: Number of epochs. None repeats the data forever.

    Raises:
      ValueError: If the data has no rows, or if the number of placeholders is wrong.
    """

    def __init__(
        self,
        placeholders: Sequence[Any],
        data: Any,
        batch_size: int,
        random_start: bool = False,
        seed: int | None = None,
        num_epochs: int | None = None,
    ) -> None:
        num_placeholders = self._num_columns(data) + 1
        if len(placeholders) != num_placeholders:
            raise ValueError(f"Expected {num_placeholders} placeholders; got {len(placeholders)}.")
        self._placeholders = placeholders
        self._data = data
        self._num_rows = self._length(data)
        if not self._num_rows:
            raise ValueError("There are no rows to feed: the arrays or the data frame are empty.")
        self._batch_size = batch_size
        self._next = random.Random(seed).randrange(self._num_rows) if random_start else 0
        self._num_epochs = num_epochs
        self._num_remaining = None if num_epochs is None else num_epochs * self._num_rows

    def __call__(self) -> dict[Any, Any]:
        """Returns a feed_dict with the next rows.

        Raises:
          tf.errors.OutOfRangeError: At the end of the last epoch.
        """
        size = self._batch_size
        if self._num_remaining is not None:
            if self._num_remaining <= 0:
                raise tf.errors.OutOfRangeError(
                    None, None, f"Already emitted {self._num_epochs} epochs."
                )
            size = min(size, self._num_remaining)
            self._num_remaining -= size
        rows = np.arange(self._next, self._next + size) % self._num_rows
        self._next = (self._next + size) % self._num_rows
        return dict(zip(self._placeholders, self._take(rows), strict=True))

    @staticmethod
    @abc.abstractmethod
    def _num_columns(data: Any) -> int:
        """Returns the number of columns, not counting the index."""

    @staticmethod
    @abc.abstractmethod
    def _length(data: Any) -> int:
        """Returns the number of rows."""

    @abc.abstractmethod
    def _take(self, rows: np.ndarray) -> list[Any]:
        """Returns the index and the columns of the rows."""


class ArrayFeedFn(_RowsFeedFn):
    """Feeds the rows of an array, each with its number."""

    @staticmethod
    def _num_columns(data: np.ndarray) -> int:
        return 1

    @staticmethod
    def _length(data: np.ndarray) -> int:
        return len(data)

    def _take(self, rows: np.ndarray) -> list[Any]:
        return [rows, self._data[rows]]


class OrderedDictNumpyFeedFn(_RowsFeedFn):
    """Feeds the rows of arrays of the same length, each with its number."""

    @staticmethod
    def _num_columns(data: Mapping[str, np.ndarray]) -> int:
        return len(data)

    @staticmethod
    def _length(data: Mapping[str, np.ndarray]) -> int:
        lengths = {len(array) for array in data.values()}
        if len(lengths) != 1:
            raise ValueError(f"Array lengths must match, and are {sorted(lengths)}.")
        return lengths.pop()

    def _take(self, rows: np.ndarray) -> list[Any]:
        return [rows, *(array[rows] for array in self._data.values())]


class PandasFeedFn(_RowsFeedFn):
    """Feeds the rows of a data frame, each with its index."""

    @staticmethod
    def _num_columns(data: Any) -> int:
        return len(data.columns)

    @staticmethod
    def _length(data: Any) -> int:
        return len(data)

    def _take(self, rows: np.ndarray) -> list[Any]:
        frame = self._data.iloc[rows]
        columns = [frame.iloc[:, i] for i in range(len(frame.columns))]
        return [part.to_numpy() for part in (frame.index, *columns)]


class GeneratorFeedFn:
    """Returns a feed_dict with the next rows of generators at each call.

    The behavior is that observed in TensorFlow 2.15. For example, `batch_size` counts values, not
    rows, and a batch in which an epoch ends continues with the next epoch.

    Args:
      placeholders: Placeholders for the values, in the order of the sorted keys.
      generator: Function that returns a generator of dicts from key to array. It is called for each
        epoch.
      batch_size: Number of values per call, rounded up to whole rows.
      random_start: Not used, because a generator has a fixed start.
      seed: Not used.
      num_epochs: Number of epochs. None or 0 repeats the data forever.
      pad_value: Padding for arrays whose last dimensions differ. None disables padding.

    Raises:
      ValueError: If the number of placeholders differs from the number of keys.
    """

    def __init__(
        self,
        placeholders: Sequence[Any],
        generator: Callable[[], Iterator[Mapping[str, Any]]],
        batch_size: int,
        random_start: bool = False,
        seed: int | None = None,
        num_epochs: int | None = None,
        pad_value: Any = None,
    ) -> None:
        del random_start, seed
        self._keys = sorted(next(generator()))
        if len(placeholders) != len(self._keys):
            raise ValueError(f"Expected {len(self._keys)} placeholders; got {len(placeholders)}.")
        self._placeholders = placeholders
        self._generator = generator
        self._rows = generator()
        self._rows_per_batch = -(-batch_size // len(self._keys))
        self._num_epochs = num_epochs
        self._epoch = 0
        self._pad_value = pad_value

    def __call__(self) -> dict[Any, np.ndarray]:
        """Returns a feed_dict with the next rows.

        Raises:
          KeyError: If a row lacks a key of the first row.
          tf.errors.OutOfRangeError: At the end of the last epoch.
          ValueError: If arrays cannot be padded to a common shape.
        """
        if self._num_epochs and self._epoch >= self._num_epochs:
            raise tf.errors.OutOfRangeError(None, None, f"Already emitted {self._epoch} epochs.")
        rows = [self._next_row() for _ in range(self._rows_per_batch)]
        columns: list[Any] = [[row[key] for row in rows] for key in self._keys]
        if self._pad_value is not None:
            columns = [pad_if_needed(column, self._pad_value) for column in columns]
        return dict(zip(self._placeholders, map(np.asarray, columns), strict=True))

    def _next_row(self) -> Mapping[str, Any]:
        row = next(self._rows, None)
        if row is None:
            self._epoch += 1
            self._rows = self._generator()
            row = next(self._rows)
        if not set(self._keys) <= set(row):
            raise KeyError(
                "key mismatch between dicts emitted by GenFun Expected "
                f"{self._keys} keys; got {list(row)}"
            )
        return row


def pad_if_needed(arrays: list[np.ndarray], fillvalue: Any = 0) -> Any:
    """Stacks arrays whose last dimensions may differ.

    Args:
      arrays: The arrays.
      fillvalue: Value that is appended to shorter arrays.

    Returns:
      An array with one more dimension. If no padding is needed, the list is returned unchanged.

    Raises:
      ValueError: If dimensions other than the last one differ.
    """
    if len({array.shape[:-1] if array.shape else None for array in arrays}) > 1:
        raise ValueError("Array shapes must match.")
    lengths = {array.shape[-1:] for array in arrays}
    if len(lengths) == 1:
        return arrays
    shape = (len(arrays), *arrays[0].shape[:-1], *max(lengths))
    padded = np.empty(shape, arrays[0].dtype)
    fill_array(padded, arrays, fillvalue)
    return padded


def fill_array(array: np.ndarray, values: Sequence[Any], fillvalue: Any = 0) -> None:
    """Copies nested sequences into an array and pads those that are too short.

    Args:
      array: Array to overwrite.
      values: Sequences, nested as deeply as the array has dimensions.
      fillvalue: Value of the padding.
    """
    if array.ndim > 1:
        for i, part in enumerate(array):
            fill_array(part, values[i] if i < len(values) else (), fillvalue)
        return
    array[: len(values)] = values
    array[len(values) :] = fillvalue


def enqueue_data(
    data: Any,
    capacity: int,
    shuffle: bool = False,
    min_after_dequeue: float | None = None,
    num_threads: int = 1,
    seed: int | None = None,
    name: str = "enqueue_input",
    enqueue_size: int = 1,
    num_epochs: int | None = None,
    pad_value: Any = None,
) -> Any:
    """Creates a queue and a queue runner that fills it with the rows of the data.

    Args:
      data: An array, an OrderedDict of arrays of equal length, a pandas data frame, or a function
        that returns a generator of dicts of arrays.
      capacity: Maximum number of rows in the queue.
      shuffle: If true, rows are returned in random order.
      min_after_dequeue: Minimum number of rows that stay in the queue, so that the choice of the
        next row is random. Defaults to a quarter of the capacity. Used only if `shuffle` is true.
      num_threads: Number of threads that fill the queue. Each thread feeds all epochs.
      seed: Seed of shuffling. Defaults to the seed of the graph.
      name: Name scope of the operations.
      enqueue_size: Number of rows that a thread adds to the queue at a time.
      num_epochs: Number of epochs. None repeats the data forever.
      pad_value: Padding for a generator's arrays whose last dimensions differ.

    Returns:
      The queue. Its first component is the number of the row (for a data frame, its index),
      followed by the columns. Rows of a generator have no number, and their columns are in the
      order of the keys.

    Raises:
      TypeError: If `data` is of another type.
      NotImplementedError: If `pad_value` is set for data other than a generator, or with `shuffle`.
    """
    with tf1.name_scope(name):
        dtypes, shapes, feed_type = _components(data)
        padding = {} if pad_value is None else {"pad_value": pad_value}
        if padding and feed_type is not GeneratorFeedFn:
            raise NotImplementedError("padding is only available with generator usage")
        if padding and shuffle:
            raise NotImplementedError(
                "padding and shuffling data at the same time is not implemented"
            )
        _warn(shuffle, num_threads, num_epochs)
        if shuffle:
            num_kept = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue = tf.queue.RandomShuffleQueue(
                capacity, num_kept, dtypes=dtypes, shapes=shapes, seed=seed
            )
        elif padding:
            num_kept = 0
            open_shapes = [(*shape[:-1], None) if shape else () for shape in shapes]
            queue = tf.queue.PaddingFIFOQueue(capacity, dtypes=dtypes, shapes=open_shapes)
        else:
            num_kept = 0
            queue = tf.queue.FIFOQueue(capacity, dtypes=dtypes, shapes=shapes)
        enqueue_ops, feed_fns = [], []
        for thread in range(1, num_threads + 1):
            # Placeholders without a static shape, so that the last batch may be smaller.
            placeholders = [tf1.placeholder(dtype) for dtype in dtypes]
            enqueue_ops.append(queue.enqueue_many(placeholders))
            # With different seeds, the threads start at different rows.
            thread_seed = None if seed is None else thread * seed
            feed_fns.append(
                feed_type(
                    placeholders, data, enqueue_size, shuffle, thread_seed, num_epochs, **padding
                )
            )
        runner = FeedingQueueRunner(queue, enqueue_ops, feed_fns=feed_fns)
        tf1.train.add_queue_runner(runner)
        _summarize(queue, num_kept, capacity - num_kept)
    return queue


def _components(data: Any) -> tuple[list[Any], list[Any], Callable[..., Any]]:
    """Returns the dtypes and shapes of a row, and the class that feeds the data."""
    pandas = sys.modules.get("pandas")  # A caller with a data frame has imported pandas.
    columns: list[Any]
    feed_type: Callable[..., Any]
    if inspect.isfunction(data):
        first_row = next(data())
        columns = [first_row[key] for key in sorted(first_row)]
        return [tf.as_dtype(c.dtype) for c in columns], [c.shape for c in columns], GeneratorFeedFn
    if isinstance(data, np.ndarray):
        columns, feed_type = [data], ArrayFeedFn
    elif isinstance(data, collections.OrderedDict):
        columns, feed_type = list(data.values()), OrderedDictNumpyFeedFn
    elif pandas is not None and isinstance(data, pandas.DataFrame):
        types = [data.index.dtype, *data.dtypes]
        # Strings have their own dtype since pandas 3.
        types = [object if isinstance(t, pandas.StringDtype) else t for t in types]
        return [tf.as_dtype(t) for t in types], [() for _ in types], PandasFeedFn
    else:
        raise TypeError(
            "data must be either a numpy array or pandas DataFrame if pandas is installed; got "
            f"{type(data).__name__}"
        )
    dtypes = [tf.int64, *(tf.as_dtype(column.dtype) for column in columns)]
    return dtypes, [(), *(column.shape[1:] for column in columns)], feed_type


def _warn(shuffle: bool, num_threads: int, num_epochs: int | None) -> None:
    if num_threads <= 1:
        return
    if num_epochs is not None:
        tf1.logging.warning(
            "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied "
            "per thread, so this will produce more epochs than you probably intend. If you want "
            "to limit epochs, use one thread."
        )
    if shuffle and num_epochs is not None:
        tf1.logging.warning(
            "enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. All "
            "threads read the data in order into the same queue, so it will likely not be "
            "sufficiently shuffled."
        )
    if not shuffle:
        tf1.logging.warning(
            "enqueue_data was called with shuffle=False and num_threads > 1. All threads read the "
            "data in order. If you want examples read in order, use one thread; if you want "
            "multiple threads, enable shuffling."
        )


def _summarize(queue: Any, num_kept: int, room: int) -> None:
    """Adds a summary of the queue's fill level above the rows that always stay in it."""
    above = tf.cast(tf.maximum(0, queue.size() - num_kept), tf.float32)
    name = f"queue/{queue.name}fraction_over_{num_kept}_of_{room}_full"
    tf1.summary.scalar(name, above * (1.0 / room))
