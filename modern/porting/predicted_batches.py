"""Selection of predictions, and splitting and joining of batches.

>>> import numpy as np
>>> [example["a"].item() for example in examples({"a": np.array([1, 2])})]
[1, 2]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np


def select(predictions: Any, keys: Any) -> Any:
    """Returns the predictions with the given names.

    Args:
      predictions: A tensor or a dict of tensors.
      keys: A list of names, one name, or None for all.

    Returns:
      A tensor or a dict of tensors.

    Raises:
      ValueError: None of the names exists, or the predictions have no names.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    result = {key: value for key, value in predictions.items() if key in keys}
    if not result:
        raise ValueError(
            f"Expected to run at least one output from {predictions.keys()}, provided {keys}."
        )
    return result


def examples(batch: Any) -> Iterator[Any]:
    """Yields the predictions of a batch one by one.

    Args:
      batch: An array, or a dict of arrays, whose first dimension is the batch.

    Yields:
      An array, or a dict of arrays, without that dimension.

    Raises:
      ValueError: The arrays of a dict have different batch sizes.
      IndexError: One of them is a scalar.
      TypeError: The batch itself is a scalar.
    """
    if not isinstance(batch, dict):
        yield from batch
        return
    for i in range(batch_length(batch)):
        yield {key: value[i] for key, value in batch.items()}


def concatenated(batches: Iterable[Any]) -> Any:
    """Returns the predictions of all batches as one.

    For example, of `predict(model, data, yield_single_examples=False)`.

    Args:
      batches: Arrays, or dicts of arrays, whose first dimension is the batch.

    Returns:
      An array, or a dict of arrays.

    Raises:
      IndexError: There is no batch.
    """
    parts = list(batches)
    if not isinstance(parts[0], dict):
        return np.concatenate(parts)
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def batch_length(batch: Mapping[str, Any]) -> int:
    """Returns the number of examples in a batch of predictions.

    Args:
      batch: Arrays by name, whose first dimension is the batch.

    Raises:
      ValueError: They have different batch sizes.
      IndexError: One of them is a scalar.
    """
    size = None
    for key, value in batch.items():
        if not value.shape:
            raise IndexError(
                f"predictions[{key}] is a scalar, which cannot be split into examples. Make the "
                "batch its first dimension, or predict with yield_single_examples=False."
            )
        size = size or value.shape[0]
        if value.shape[0] != size:
            raise ValueError(
                "Batch length of predictions should be same. "
                f"{key} has different batch length than others."
            )
    return size or 0
