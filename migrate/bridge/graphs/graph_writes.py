"""Finds the variables that the operations of a v1 graph write, and those that train_op writes.

A session runs only fetched operations and their dependencies. A tf.function runs every operation
that writes. If the two sets differ, a bridged model_fn would train differently from the Estimator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import tensorflow as tf

_WRITES = ("Assign", "Scatter", "ResourceApply", "ResourceSparseApply", "ResourceScatter", "Apply")
_HANDLES = ("VarHandleOp", "VariableV2", "Variable")


def reachable(roots: Iterable[tf.Operation]) -> set[tf.Operation]:
    """Returns all operations that run when `roots` run, through data or control dependencies."""
    operations: set[tf.Operation] = set()
    # A list, because a path through a graph can be longer than the recursion limit of Python.
    stack = [*roots]
    while stack:
        op = stack.pop()
        if op in operations:
            continue
        operations.add(op)
        stack += [tensor.op for tensor in op.inputs]
        stack += op.control_inputs
    return operations


def calling_op(op: tf.Operation, graph: tf.Graph) -> tf.Operation:
    """Returns the operation of `graph` whose branch, body or function contains an operation."""
    while op.graph is not graph:
        name, outer = op.graph.name, op.graph.outer_graph
        op = next(
            operation for operation in outer.get_operations() if name in _functions(operation)
        )
    return op


def _functions(op: tf.Operation) -> set[str]:
    values = op.node_def.attr.values()
    return {f.name for value in values for f in (value.func, *value.list.func)} - {""}


def written_variable(op: tf.Operation) -> str | None:
    """Returns the name of the variable that an operation writes, or None."""
    if not op.type.startswith(_WRITES) or not op.inputs:
        return None
    source = op.inputs[0].op
    # In v1 control flow, a variable reaches the writing operation through these.
    while source.type in ("Identity", "Enter", "RefSwitch", "Switch") and source.inputs:
        source = source.inputs[0].op
    return source.name if source.type in _HANDLES else None


def variables_of(ops: Iterable[tf.Operation]) -> set[str]:
    """Returns the names of the variables whose handles are among the operations."""
    return {op.name for op in ops if op.type in _HANDLES}


def never_run(
    graph: tf.Graph, step_ops: set[tf.Operation], session_ops: set[tf.Operation]
) -> dict[str, tf.Operation]:
    """Returns the operations that write variables and never run, by variable name.

    Args:
      graph: Graph to search.
      step_ops: Operations that run in a step.
      session_ops: Operations that run at other times: to initialize, save and restore.
    """
    writes = {}
    for op in graph.get_operations():
        name = None if op in step_ops or op in session_ops else written_variable(op)
        if name is not None:
            writes[name] = op
    return writes


def may_write(ops: Collection[tf.Operation]) -> set[str]:
    """Returns the names of the variables that operations write, also in their functions.

    A function, such as a branch of tf.cond, counts as writing each variable that it gets.
    """
    names = {name for op in ops if (name := written_variable(op)) is not None}
    calls = [op for op in ops if any(tensor.dtype == tf.resource for tensor in op.inputs)]
    for op in calls:
        if _functions(op):
            names |= variables_of(tensor.op for tensor in op.inputs)
    return names
