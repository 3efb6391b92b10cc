"""Graph collections of metrics.

value, update_op = collect(value, update_op, metrics_collections, updates_collections)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def collect(
    value: tf.Tensor, update: Any, metrics_collections: Any, updates_collections: Any
) -> tuple[tf.Tensor, Any]:
    """Adds a metric to collections of the graph.

    Args:
      value: Value of the metric.
      update: Update op of the metric.
      metrics_collections: A list of collections for the value, or None.
      updates_collections: A list of collections for the update op, or None.

    Returns:
      The value and the update op.
    """
    for tensor, names in ((value, metrics_collections), (update, updates_collections)):
        if names:
            tf.compat.v1.add_to_collections(names, tensor)
    return value, update
