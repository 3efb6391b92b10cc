"""Adds the `op` and `graph` that eager variables lack, and their names in a v1 graph.

with variable_ops.with_ops(variables):
    names = [v.op.name for v in tf.compat.v1.trainable_variables()]
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from migrate.patches import Patches


@dataclasses.dataclass(frozen=True)
class VariableOp:
    """Replaces the operation of a variable in a v1 graph.

    Attributes:
      name: Name of the variable.
      device: Device of the variable.
      graph: Default graph at the time of the access.
      type: Type of the operation.
    """

    name: str
    device: str
    graph: tf.Graph
    type: str = "VarHandleOp"


def _op(original: Any, state: Any, variable: tf.Variable) -> Any:
    del state
    try:
        return original(variable)
    except (AttributeError, ValueError):
        name = _REPLICA.sub("", variable.name).partition(":")[0]
        return VariableOp(name, variable.device, tf.compat.v1.get_default_graph())


def _graph(original: Any, state: Any, variable: tf.Variable) -> tf.Graph:
    del state
    try:
        return original(variable)
    except AttributeError:
        return tf.compat.v1.get_default_graph()


def _name(original: Any, state: Any, variable: tf.Variable) -> str:
    """Removes the suffix that a mirrored variable's copy has in replicas after the first."""
    del state
    return _REPLICA.sub("", original(variable))


_REPLICA = re.compile(r"/replica_\d+(?=:|$)")
_ATTRIBUTES = {"op": _op, "graph": _graph, "name": _name}
_patched_attributes: set[tuple[type, str, Any]] = set()
_lock = (
    threading.Lock()
)  # Of _patched_attributes, because replicas enter `with_ops` at the same time.


def _attributes() -> list[tuple[type, str, Any]]:
    with _lock:
        return list(_patched_attributes)


_patches = Patches(_attributes)


@contextlib.contextmanager
def with_ops(variables: Iterable[Any]) -> Iterator[None]:
    """Gives variables of these classes an `op` within the block, in this thread."""
    for variable in variables:
        for copy in (variable, *(getattr(variable, "values", None) or ())):
            # The attributes are patched where they are defined, which may be a base class.
            for cls in type(copy).__mro__:
                attributes = [(cls, n, f) for n, f in _ATTRIBUTES.items() if n in vars(cls)]
                with _lock:
                    _patched_attributes.update(attributes)
    with _patches.active(True):
        yield
