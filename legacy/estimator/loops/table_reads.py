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


def avoided(config: Any, graph: tf.Graph) -> Any:
    """Returns a session config under which lookups stay lookups.

    Args:
      config: A ConfigProto. It is not modified. If it sets the arithmetic optimizer, it is returned
        as it is.
      graph: The graph of the training.
    """
    kinds = {operation.type for operation in graph.get_operations()}
    is_affected = any(kind.startswith(_UPDATES) for kind in kinds) and any(
        kind.startswith(_SUMS) for kind in kinds
    )
    rewrite = config.graph_options.rewrite_options
    if not is_affected or rewrite.arithmetic_optimization != rewrite.DEFAULT:
        return config
    new_config = tf1.ConfigProto()
    new_config.CopyFrom(config)
    new_config.graph_options.rewrite_options.arithmetic_optimization = rewrite.OFF
    return new_config
