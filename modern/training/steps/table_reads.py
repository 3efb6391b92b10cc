"""Training steps that read the rows of a table that they need, and never the whole table.

    table_reads.avoid(model)

TensorFlow's arithmetic optimizer replaces the lookup of rows in `embedding_lookup_sparse` by a read
of the whole table (its stage "SimplifyEmbeddingLookup"). This function is in each embedding column.
A read of a table that is updated row by row is a copy, because the next update must not change it.
So each step would copy every table (seen in TensorFlow 2.15 and 2.21). docs/performance.md has
figures, under "Reads of whole tables".
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras
from modern.training.steps import step_wrapper

_OPTION = "arithmetic_optimization"
_UPDATES = ("ResourceSparseApply", "ResourceScatter")
_SUMS = "SparseSegment"  # The operations that sum the rows of each example.
_LOOKUPS = ("ResourceGather", "Gather", "GatherV2")


def avoid(model: keras.Model) -> None:
    """Switches the arithmetic optimizer off in this process if the model's step needs it.

    The step is examined when TensorFlow traces it. A program that has set the option
    "arithmetic_optimization" by `tf.config.optimizer.set_experimental_options` keeps its choice.

    Args:
      model: The model. A second call changes nothing.
    """
    if not isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy):
        step_wrapper.wrap(model, _avoiding)


def _avoiding(train_step: step_wrapper.Step) -> step_wrapper.Step:
    def step(data: Any) -> Any:
        result = train_step(data)
        if not tf.executing_eagerly() and happen_in(tf.compat.v1.get_default_graph()):
            options = tf.config.optimizer.get_experimental_options()
            if _OPTION not in options:
                tf.config.optimizer.set_experimental_options({**options, _OPTION: False})
        return result

    return step


def happen_in(graph: tf.Graph) -> bool:
    """Returns whether TensorFlow would read whole tables in a graph that updates their rows.

    The stage leaves a lookup alone that has another device than the sum, such as a parameter
    server. There the optimizer is useful: without it, the indices of each table travel twice.
    """
    operations = graph.get_operations()
    return any(operation.type.startswith(_UPDATES) for operation in operations) and any(
        _sums_looked_up_rows(operation) for operation in operations
    )


def _sums_looked_up_rows(operation: tf.Operation) -> bool:
    if not operation.type.startswith(_SUMS):
        return False
    rows = operation.inputs[0].op
    while rows.type == "Identity":
        rows = rows.inputs[0].op
    return rows.type in _LOOKUPS and rows.device == operation.device
