"""Predicts: which predictions are asked for, and how a batch falls into examples.

>>> import numpy as np
>>> [example["a"].item() for example in examples({"a": np.array([1, 2])})]
[1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def select(predictions: Any, keys: Any) -> Any:
    """Returns those predictions that are asked for.

    Args:
      predictions: A tensor or a dict of tensors.
      keys: A name, a list of names, or None for all.

    Returns:
      A tensor or a dict of tensors.

    Raises:
      ValueError: None of the names is there, or the predictions have no names.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    wanted = [keys] if isinstance(keys, str) else list(keys)
    selected = {key: value for key, value in predictions.items() if key in wanted}
    if not selected:
        raise ValueError(
            f"Expected to run at least one output from {predictions.keys()}, provided {wanted}."
        )
    return selected


def examples(batch: Any) -> Iterator[Any]:
    """Yields the predictions of a batch one by one.

    Args:
      batch: An array, or a dict of arrays, whose first dimension is the batch.

    Yields:
      An array, or a dict of arrays, without that dimension.

    Raises:
      ValueError: The arrays of a dict have different batch sizes.
    """
    if not isinstance(batch, dict):
        yield from batch
        return
    size = next(iter(batch.values())).shape[0]
    for key, value in batch.items():
        if not value.shape or value.shape[0] != size:
            raise ValueError(
                "Batch length of predictions should be same. "
                f"{key} has different batch length than others."
            )
    for i in range(size):
        yield {key: value[i] for key, value in batch.items()}


def warn_if_endless(from_dataset: bool) -> None:
    """Warns where nothing in the input can end it.

    Args:
      from_dataset: Whether the input is a Dataset that Estimator iterates over.
    """
    operations = tf1.get_default_graph().get_operations()
    iterates = from_dataset or any(op.type == "IteratorGetNext" for op in operations)
    if not iterates and not tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS):
        tf1.logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means "
            "predict yields forever. This is probably a mistake."
        )
