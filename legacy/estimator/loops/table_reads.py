"""Sessions that do not read whole tables in a training that updates a few of their rows.

    session_config = table_reads.avoided(session_config, graph)

modern/training/steps/table_reads.py explains these reads, and avoids them in functions.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.training.steps import table_reads

tf1 = tf.compat.v1


def avoided(config: Any, graph: tf.Graph) -> Any:
    """Returns a session config under which lookups stay lookups.

    Args:
      config: A ConfigProto. It is not modified. If it sets the arithmetic optimizer, it is returned
        as it is.
      graph: The graph of the training.
    """
    rewrite = config.graph_options.rewrite_options
    if rewrite.arithmetic_optimization != rewrite.DEFAULT or not table_reads.happen_in(graph):
        return config
    new_config = tf1.ConfigProto()
    new_config.CopyFrom(config)
    new_config.graph_options.rewrite_options.arithmetic_optimization = rewrite.OFF
    return new_config
