"""Disables the parts of a model_fn that need a session, and keeps its lookup tables.

    with session_parts.disabled(model_fn) as resources:
        spec = model_fn(features, labels, mode)

Initializers, Savers and `init_from_checkpoint` took effect in the first call of the model_fn
(migrate/bridge/graphs/blueprint.py). In a tf.function they would run in each step. No session
fetches summaries here. Keras' TensorBoard callback writes its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError, line_in
from migrate.bridge.graphs import tensor_equality
from migrate.patches import Patches

tf1 = tf.compat.v1
_RESOURCE = tf.saved_model.experimental.TrackableResource
_INITIALIZERS = {
    tf1: (
        "global_variables_initializer",
        "local_variables_initializer",
        "variables_initializer",
        "initialize_all_variables",
        "initialize_local_variables",
        "initialize_variables",
        "initialize_all_tables",
        "tables_initializer",
    ),
    tf1.initializers: ("global_variables", "local_variables", "variables", "tables_initializer"),
}
# Without summaries, merge_all would return None, which a SummarySaverHook refuses.
_SUMMARIES = ("audio", "histogram", "image", "merge_all", "scalar", "tensor_summary", "text")
_OF_FILES = ("SaveV2", "RestoreV2", "MergeV2Checkpoints", "SaveSlices", "Restore", "RestoreSlice")


def _no_op(original: Any, state: Any, *args: Any, **kwargs: Any) -> tf.Operation:
    del original, state, args, kwargs
    return tf.no_op()


def _nothing(original: Any, state: Any, *args: Any, **kwargs: Any) -> None:
    """Does nothing."""


def _no_summary(original: Any, state: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
    del original, state, args, kwargs
    return tf.constant(b"")


def _no_variables(original: Any, state: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Returns no variables, because only a Saver needs them."""
    del original, state, args, kwargs
    return {}


def _updates(original: Any, state: Any, layer: Any) -> list[Any]:
    """Returns no updates, because a tf.function runs them.

    Callers only check that a metric has an update, so it gets one.
    """
    del original, state
    return [tf.no_op()] if isinstance(layer, tf_keras.metrics.Metric) else []


def _updates_for(original: Any, state: Any, layer: Any, features: Any) -> list[Any]:
    """Returns no updates, because only layers created in v1 graphs have them."""
    del original, state, layer, features
    return []


def _keep_resource(
    original: Any, resources: list[Any], resource: Any, *args: Any, **kwargs: Any
) -> None:
    # A table is destroyed with its Python object, even if a traced function still uses it.
    original(resource, *args, **kwargs)
    resources.append(resource)


def _replacements() -> Iterator[tuple[Any, str, Any]]:
    for module, names in _INITIALIZERS.items():
        yield from ((module, name, _no_op) for name in names if name in vars(module))
    yield from ((tf1.summary, name, _no_summary) for name in _SUMMARIES)
    yield tf1.train, "init_from_checkpoint", _nothing
    yield tf1.train.Saver, "__init__", _nothing
    yield tf.train.ExponentialMovingAverage, "variables_to_restore", _no_variables
    yield _RESOURCE, "__init__", _keep_resource
    yield tf_keras.layers.Layer, "updates", _updates
    yield tf_keras.layers.Layer, "get_updates_for", _updates_for


_patches = Patches(_replacements)


@contextlib.contextmanager
def disabled(function: Callable[..., Any]) -> Iterator[list[Any]]:
    """Disables the session parts within the block, in this thread.

    Args:
      function: The model_fn, for the message.

    Yields:
      The tables that the block creates. Keep them as long as the function that uses them.

    Raises:
      BridgeError: The block has created other operations on files.
    """
    graph = tf1.get_default_graph()
    op_count = len(graph.get_operations())
    resources: list[Any] = []
    with _patches.active(resources), tensor_equality.disabled():
        yield resources
    for op in graph.get_operations()[op_count:]:
        if op.type in _OF_FILES:
            raise BridgeError(
                f"model_fn creates a {op.type}, which Keras would run in each step: create it in a "
                f"Scaffold's init_fn. {line_in(function, op.traceback)}"
            )
