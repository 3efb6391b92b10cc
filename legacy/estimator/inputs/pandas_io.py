"""pandas_input_fn, which creates an input function for a data frame.

    input_fn = pandas_input_fn(frame, frame.pop("label"), batch_size=32, shuffle=True)

pandas is required only when the function is called.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from legacy.estimator.inputs.numpy_io import check_shuffle, dequeue
from legacy.estimator.inputs.queues.feeding_functions import enqueue_data


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """Returns an input function that feeds a data frame through a queue.

    Args:
      x: A `pandas.DataFrame`.
      y: Labels: a `pandas.Series` or `DataFrame` with the same index as `x`, or None.
      batch_size: Rows per batch. Only the last batch of the last epoch may be smaller.
      num_epochs: Number of epochs. None repeats the data forever.
      shuffle: True or False. Required.
      queue_capacity: Maximum number of rows in the queue. None means the length of the frame, or
        four times the length if `shuffle` is true.
      num_threads: Number of threads that fill the queue. Only a single thread keeps the order.
      target_column: Name of the labels in the queue. `x` must not have a column of that name.

    Returns:
      A function without arguments that returns (features, labels), or only the features if `y` is
      None. Features are a dict of tensors by column. Labels are a tensor, or a dict of tensors by
      column if `y` is a data frame.

    Raises:
      TypeError: If pandas is not installed, or if `target_column` is not a string.
      ValueError: If `shuffle` is not a bool, if `x` has a column `target_column`, or if the indices
        differ.
    """
    try:
        import pandas
    except ImportError as error:
        raise TypeError(
            "pandas_input_fn should not be called without pandas installed: pip install pandas"
        ) from error
    check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError(f"target_column must be a string type, and is {target_column!r}.")
    # pandas 3 keeps the dtype "object" for a column whose values were replaced by numbers.
    frame = x.infer_objects()
    label_columns: dict[Any, Any] = {}  # From each label to its column in the frame.
    if y is not None:
        _check_labels(frame, y, target_column)
        y = y.infer_objects()
        if isinstance(y, pandas.DataFrame):
            label_columns = {column: _unused_name(frame, column) for column in y}
            frame[list(label_columns.values())] = y
        else:
            label_columns = {target_column: target_column}
            frame[target_column] = y
    if queue_capacity is None:
        queue_capacity = (4 if shuffle else 1) * len(frame)

    def input_fn() -> Any:
        queue = enqueue_data(
            frame,
            queue_capacity,
            shuffle=shuffle,
            min_after_dequeue=max(queue_capacity / 4, 1),
            num_threads=num_threads,
            enqueue_size=batch_size,
            num_epochs=num_epochs,
        )
        # The first component is the index of the row.
        tensors = dequeue(queue, batch_size, num_epochs)[1:]
        features = dict(zip(frame.columns, tensors, strict=True))
        labels = {label: features.pop(column) for label, column in label_columns.items()}
        if y is None:
            return features
        return features, labels if isinstance(y, pandas.DataFrame) else labels[target_column]

    return input_fn


def _check_labels(x: Any, y: Any, target_column: str) -> None:
    if target_column in x:
        raise ValueError(
            f"Cannot use name {target_column} for target column: DataFrame already has a column "
            f"with that name: {x.columns}"
        )
    if not np.array_equal(x.index, y.index):
        raise ValueError(
            f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: {y.index}\n"
        )


def _unused_name(frame: Any, column: Any) -> Any:
    """Returns the name of a column, with a random suffix if the frame has a column of that name."""
    return f"{column}_{uuid.uuid4()}" if column in frame else column
