"""Lets the updates of a training step wait for the data of the step.

The last step of a training may find no more data, and fails. A graph runs operations without a
dependency in any order, so some updates of this step may have been made by then. For example, Adam
multiplies its averages of an embedding by beta before it adds the gradients, and only the addition
needs data. So the averages in the last checkpoint may be of another step, by chance. The steps of a
Keras model and of a bridged one wait for their data (modern/training/steps/whole_steps.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from migrate.port.in_program import model_calls

_WRITES = ("Assign", "Scatter", "ResourceApply", "ResourceScatter", "Apply", "SparseApply")
_TRAIN = "train"


def patches(note: Callable[[], None]) -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch Estimators, by module.

    Args:
      note: Function without arguments. It is called when an update waits for data.
    """

    def after(spec: Any, data: Any, mode: str) -> None:
        train_op = getattr(spec, "train_op", None)
        if mode == _TRAIN and train_op is not None and wait(data, train_op):
            note()

    return model_calls.patches(after)


def wait(data: Any, train_op: Any) -> int:
    """Lets the updates of a training step wait for its data.

    Args:
      data: Nested structure with the features and labels.
      train_op: Operation of the step, in a graph that no session has run.

    Returns:
      The number of updates that did not wait for any data.
    """
    import tensorflow as tf

    parts = tf.nest.flatten(data, expand_composites=True)
    sources = [part.op for part in parts if isinstance(part, tf.Tensor)]
    operation = getattr(train_op, "op", train_op)
    if not sources or not hasattr(operation, "control_inputs"):
        return 0
    of_data = _with_inputs(sources)
    after_data = _with_users(sources)
    waiting = [
        update
        for update in _with_inputs([operation])
        if update.type.startswith(_WRITES) and update not in after_data and update not in of_data
        # Nothing outside of a loop or a branch can make its operations wait.
        if update._get_control_flow_context() is None
    ]
    for update in waiting:
        update._add_control_input(sources[0])
    return len(waiting)


def _with_inputs(operations: Iterable[Any]) -> set[Any]:
    """Returns operations, and all operations that they wait for."""
    stack, seen = list(operations), set(operations)
    while stack:
        operation = stack.pop()
        for before in (*(tensor.op for tensor in operation.inputs), *operation.control_inputs):
            if before not in seen:
                seen.add(before)
                stack.append(before)
    return seen


def _with_users(operations: Iterable[Any]) -> set[Any]:
    """Returns operations, and all operations that wait for them."""
    stack, seen = list(operations), set(operations)
    while stack:
        operation = stack.pop()
        users = (user for tensor in operation.outputs for user in tensor.consumers())
        for after in (*users, *operation._control_outputs):
            if after not in seen:
                seen.add(after)
                stack.append(after)
    return seen
