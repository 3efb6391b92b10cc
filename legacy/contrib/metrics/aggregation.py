"""Functions that split several metrics into values and update ops.

values, updates = aggregate_metric_map({"accuracy": streaming_accuracy(predictions, labels)})
session.run(list(updates.values()))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def aggregate_metric_map(
    names_to_tuples: Mapping[str, tuple[Any, Any]],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Separates a dict of metrics into values and update ops.

    Args:
      names_to_tuples: (value, update op) pairs by name.

    Returns:
      The values by name, and the update ops by name.
    """
    values = {name: value for name, (value, _) in names_to_tuples.items()}
    return values, {name: update for name, (_, update) in names_to_tuples.items()}


def aggregate_metrics(*value_update_tuples: tuple[Any, Any]) -> tuple[list[Any], list[Any]]:
    """Separates metrics into values and update ops.

    Args:
      *value_update_tuples: (value, update op) pairs.

    Returns:
      The list of values and the list of update ops.

    Raises:
      ValueError: No pair is specified.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)
