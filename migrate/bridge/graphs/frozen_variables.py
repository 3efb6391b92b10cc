"""Makes a model_fn's assignments of some variables do nothing.

    with frozen_variables.frozen(lambda variable: variable is average):
        spec = model_fn(features, labels, "eval")

A session ran an assignment only if the step fetched it. A tf.function would run each one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from migrate.patches import Patches, defining_classes

_SCATTERS = (
    *("batch_scatter_update", "scatter_add", "scatter_div", "scatter_max", "scatter_min"),
    *("scatter_mul", "scatter_nd_add", "scatter_nd_sub", "scatter_nd_update", "scatter_sub"),
    "scatter_update",
)
_METHODS = ("assign", "assign_add", "assign_sub", *_SCATTERS)


def frozen(
    is_frozen: Callable[[tf.Variable], bool],
) -> contextlib.AbstractContextManager[None]:
    """Returns a context in which this thread cannot assign values to some variables.

    An assignment returns the variable's value. Operations of tf.raw_ops still write.

    Args:
      is_frozen: Says whether a variable is frozen.
    """
    return _patches.active(is_frozen)


def _assign(
    original: Callable[..., Any],
    is_frozen: Callable[[tf.Variable], bool],
    variable: tf.Variable,
    *args: Any,
    **kwargs: Any,
) -> Any:
    if is_frozen(variable):
        return tf.identity(variable)
    return original(variable, *args, **kwargs)


def _merge_call(
    original: Callable[..., Any],
    is_frozen: Callable[[tf.Variable], bool],
    context: tf.distribute.ReplicaContext,
    merge_fn: Callable[..., Any],
    *args: Any,
    **kwargs: Any,
) -> Any:
    # The threads of all replicas wait, while another thread calls the function.
    def frozen_merge_fn(*merge_args: Any, **merge_kwargs: Any) -> Any:
        with frozen(is_frozen):
            return merge_fn(*merge_args, **merge_kwargs)

    return original(context, frozen_merge_fn, *args, **kwargs)


def _functions() -> Iterator[tuple[Any, str, Any]]:
    for method in _METHODS:
        for cls in defining_classes(tf.Variable, method):
            yield cls, method, _assign
    (replica_context, *_) = (
        cls for cls in tf.distribute.ReplicaContext.__mro__ if "merge_call" in vars(cls)
    )
    yield replica_context, "merge_call", _merge_call
    for name in _SCATTERS:
        yield tf.compat.v1, name, _assign


_patches = Patches(_functions)
