"""numpy_input_fn and pandas_input_fn of contrib.learn.io: tf.estimator's, which shuffle unasked.

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
    """Returns an input function that feeds arrays; see `legacy.estimator.inputs.numpy_input_fn`.

    Args:
      x: See there, as all that follows.
      y: Labels.
      batch_size: Rows per batch.
      num_epochs: How often each row is used.
      shuffle: Here it need not be given.
      queue_capacity: How many rows the queue holds.
      num_threads: How many threads fill the queue.
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
    """Returns an input function that feeds a frame; see `legacy.estimator.inputs.pandas_input_fn`.

    Args:
      x: See there, as all that follows.
      y: Labels.
      batch_size: Rows per batch.
      num_epochs: How often each row is used.
      shuffle: Here it need not be given.
      queue_capacity: How many rows the queue holds.
      num_threads: How many threads fill the queue.
      target_column: The name under which labels pass through the queue.
    """
    return inputs.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column
    )
