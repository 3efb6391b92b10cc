"""The `op` and `graph` of a variable, which eager ones lack, and its name in a v1 graph.

with variable_ops.named(variables):
    names = [v.op.name for v in tf.compat.v1.trainable_variables()]
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from migrate.patches import Patches


@dataclasses.dataclass(frozen=True)
class VariableOp:
    """What stands for the operation that a variable is in a v1 graph.

    Attributes:
      name: The variable's.
      device: The variable's.
      graph: That in which was asked.
      type: The operation's.
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
    """In replicas after the first a mirrored variable has the name of its copy there."""
    del state
    return _REPLICA.sub("", original(variable))


_REPLICA = re.compile(r"/replica_\d+(?=:|$)")
_ATTRIBUTES = {"op": _op, "graph": _graph, "name": _name}
_found: set[tuple[type, str, Any]] = set()
_patches = Patches(lambda: _found)


@contextlib.contextmanager
def named(variables: Iterable[Any]) -> Iterator[None]:
    """While the block runs, in this thread, variables of these classes have an `op`."""
    for variable in variables:
        for one in (variable, *(getattr(variable, "values", None) or ())):
            for cls in type(one).__mro__:
                _found.update((cls, n, f) for n, f in _ATTRIBUTES.items() if n in vars(cls))
    with _patches.active(True):
        yield
