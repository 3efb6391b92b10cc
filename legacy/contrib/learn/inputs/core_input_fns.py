"""numpy_input_fn and pandas_input_fn of contrib.learn.io, which shuffle by default.

input_fn = numpy_input_fn({"x": values}, labels, batch_size=4, num_epochs=1000)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy.estimator import inputs


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """Returns an input function that feeds arrays. See `legacy.estimator.inputs.numpy_input_fn`.

    Args:
      x: Features, as in the function of `legacy.estimator.inputs`.
      y: Labels.
      batch_size: Number of rows in a batch.
      num_epochs: Number of times that each row is used.
      shuffle: If true, shuffles the rows. Unlike in `legacy.estimator.inputs`, it has a default.
      queue_capacity: Number of rows that the queue holds.
      num_threads: Number of threads that fill the queue.
    """
    return inputs.numpy_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads)


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """Returns an input function that feeds a frame. See `legacy.estimator.inputs.pandas_input_fn`.

    Args:
      x: Features, as in the function of `legacy.estimator.inputs`.
      y: Labels.
      batch_size: Number of rows in a batch.
      num_epochs: Number of times that each row is used.
      shuffle: If true, shuffles the rows. Unlike in `legacy.estimator.inputs`, it has a default.
      queue_capacity: Number of rows that the queue holds.
      num_threads: Number of threads that fill the queue.
      target_column: Name of the labels in the queue.
    """
    return inputs.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column
    )
