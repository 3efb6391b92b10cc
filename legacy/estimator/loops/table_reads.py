"""Keeps TensorFlow from reading whole tables in a training that updates a few of their rows.

    session_config = table_reads.avoided(session_config, graph)

TensorFlow's arithmetic optimizer replaces the lookup of rows in `embedding_lookup_sparse` by a read
of the whole table (its stage "SimplifyEmbeddingLookup"). A read of a table that is updated row by
row is a copy, because the next update must not change it. So each step would copy every table (seen
in TensorFlow 2.15 and 2.21). docs/performance.md has figures, under "Reads of whole tables".
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_UPDATES = ("ResourceSparseApply", "ResourceScatter")
_SUMS = "SparseSegment"  # The operations that sum the rows of each example.
_LOOKUPS = ("ResourceGather", "Gather", "GatherV2")


def avoided(config: Any, graph: tf.Graph) -> Any:
    """Returns a session config under which lookups stay lookups.

    Args:
      config: A ConfigProto. It is not modified. If it sets the arithmetic optimizer, it is returned
        as it is.
      graph: The graph of the training.
    """
    operations = graph.get_operations()
    is_affected = any(operation.type.startswith(_UPDATES) for operation in operations) and any(
        _sums_looked_up_rows(operation) for operation in operations
    )
    rewrite = config.graph_options.rewrite_options
    if not is_affected or rewrite.arithmetic_optimization != rewrite.DEFAULT:
        return config
    new_config = tf1.ConfigProto()
    new_config.CopyFrom(config)
    new_config.graph_options.rewrite_options.arithmetic_optimization = rewrite.OFF
    return new_config


def _sums_looked_up_rows(operation: tf.Operation) -> bool:
    """Returns whether the stage would replace a lookup, the first input of this operation.

    The stage leaves a lookup alone that has another device, such as a parameter server. There the
    optimizer is useful: without it, the indices of each table travel twice.
    """
    if not operation.type.startswith(_SUMS):
        return False
    rows = operation.inputs[0].op
    while rows.type == "Identity":
        rows = rows.inputs[0].op
    return rows.type in _LOOKUPS and rows.device == operation.device
