"""Orders a program's own assignment of the global step after the reads of the step.

A graph runs operations without a dependency in any order. For example, BERT's optimizer ends with

    train_op = tf.group(train_op, [global_step.assign(global_step + 1)])

and its learning rate reads the same step. So each of its steps uses the rate of this step or of the
next one, by chance. Here the assignment waits for the reads that the program wrote before it.
`tf.function` keeps the same order in a bridged model.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_NAMES = ("assign", "assign_add")
_READS = ("Identity", "ReadVariableOp")
_OPS = "tensorflow.python.ops"


def patches(note: Callable[[], None]) -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch the methods of variables and `tf.assign`, by module.

    Args:
      note: Function without arguments. It is called when an assignment waits for reads.
    """
    return {
        f"{_OPS}.state_ops": functools.partial(_patch_all, "", note),
        f"{_OPS}.ref_variable": functools.partial(_patch_all, "RefVariable", note),
        f"{_OPS}.resource_variable_ops": functools.partial(
            _patch_all, "BaseResourceVariable", note
        ),
    }


def _patch_all(owner: str, note: Callable[[], None], module: Any) -> None:
    for name in _NAMES:
        _patch(getattr(module, owner) if owner else module, name, note)


def _patch(owner: Any, name: str, note: Callable[[], None]) -> None:
    function = getattr(owner, name)

    @functools.wraps(function)
    def assign_after_reads(variable: Any, *args: Any, **kwargs: Any) -> Any:
        import tensorflow as tf

        graph = tf.compat.v1.get_default_graph()
        reads = _reads(tf, graph, variable)
        if not reads:
            return function(variable, *args, **kwargs)
        note()
        with graph.control_dependencies(reads):
            return function(variable, *args, **kwargs)

    setattr(owner, name, assign_after_reads)


def _reads(tf: Any, graph: Any, variable: Any) -> list[Any]:
    """Returns the operations that use a global step.

    Returns an empty list for another variable, and if the program orders the assignment itself.
    """
    if tf.executing_eagerly() or graph.building_function:
        return []
    if getattr(graph, "_control_dependencies_stack", ()):
        return []  # The program orders the assignment itself.
    if variable is not tf.compat.v1.train.get_global_step(graph):
        return []
    holder = variable.handle if hasattr(variable, "handle") else variable.op.outputs[0]
    # A read may share the memory of the variable. So the assignment must wait for its consumers.
    reads = [operation for operation in holder.consumers() if operation.type in _READS]
    users = [user for read in reads for tensor in read.outputs for user in tensor.consumers()]
    return [operation for operation in dict.fromkeys(users) if _is_harmless(operation)]


def _is_harmless(operation: Any) -> bool:
    """Returns whether an operation only computes, so that it may run without being fetched."""
    in_branch = operation._get_control_flow_context() is not None
    assigns = any(tensor.dtype._is_ref_dtype for tensor in operation.inputs)
    return not (in_branch or assigns or operation.op_def.is_stateful)
