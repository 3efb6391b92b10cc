"""The `op` that v1 programs ask a variable for, as in `v.op.name`, which eager variables lack.

with variable_ops.named(variables):
    names = [v.op.name for v in tf.compat.v1.trainable_variables()]
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from migrate.bridge.patches import Patches


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
        name = variable.name.partition(":")[0]
        return VariableOp(name, variable.device, tf.compat.v1.get_default_graph())


_classes: set[type] = set()
_patches = Patches(lambda: [(cls, "op", _op) for cls in _classes])


@contextlib.contextmanager
def named(variables: Iterable[Any]) -> Iterator[None]:
    """While the block runs, in this thread, variables of these classes have an `op`."""
    for variable in variables:
        _classes.update(cls for cls in type(variable).__mro__ if "op" in vars(cls))
        for part in getattr(variable, "values", None) or ():
            _classes.update(cls for cls in type(part).__mro__ if "op" in vars(cls))
    with _patches.active(True):
        yield
