"""Orders the updates of variables in a training step as the program wrote them.

A graph runs operations without a dependency in any order. For example, a GAN's step

    train_op = tf.group(d_optimizer.minimize(d_loss, ...), g_optimizer.minimize(g_loss, ...))

updates the discriminator while the generator's gradients still read it. So each step uses the old
or the new weights, by chance. Here an operation that the program wrote before an update runs before
it, and one that it wrote after the update runs after it. A gradient reads the same value as the
operation that it derives, as in the `tf.function` of a bridged model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from migrate.port.in_program import model_calls

_HOLDERS = ("VariableV2", "Variable", "VarHandleOp")
_READS = ("Identity", "ReadVariableOp")
_WRITES = ("Assign", "Apply", "SparseApply", "Scatter", "Resource")
_NO_WRITES = ("ResourceGather",)
_GRADIENTS = "gradients"  # Name scope of the operations that `tf.gradients` creates.


def patches(note: Callable[[], None]) -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch Estimators, by module.

    Args:
      note: Function without arguments. It is called when an order was not certain.
    """

    def after(spec: Any, data: Any, mode: str) -> None:
        del data, mode
        train_op = getattr(spec, "train_op", None)
        if train_op is not None and order([train_op, spec.loss]):
            note()

    return model_calls.patches(after)


def order(fetches: Iterable[Any]) -> int:
    """Orders the operations that a session runs together.

    Args:
      fetches: Tensors and operations of a graph that no session has run.

    Returns:
      The number of pairs that were in no order.
    """
    start = [getattr(fetch, "op", fetch) for fetch in fetches if fetch is not None]
    if not start or not all(hasattr(operation, "control_inputs") for operation in start):
        return 0
    operations = sorted(_with_inputs(start), key=_number)
    is_run = set(operations)
    pairs = []
    for holder in operations:
        if holder.type in _HOLDERS:
            readers, writers = _accesses(holder, is_run)
            pairs += [(reader, writer) for writer in writers for reader in readers]
            pairs += zip(writers, writers[1:], strict=False)
    return _add_edges(pairs)


def _add_edges(pairs: Iterable[tuple[Any, Any]]) -> int:
    """Lets one operation of each pair wait for the other, unless the program orders them."""
    pairs = [(a, b) for a, b in pairs if a is not b and not _is_in_branch(a, b)]
    # Edges in the order of the program come first, because they never make a cycle.
    pairs.sort(key=lambda pair: _is_derived(*pair))
    ancestors = _Ancestors(operation for pair in pairs for operation in pair)
    count = 0
    for first, second in pairs:
        if _number(first) > _number(second) and not _is_derived(first, second):
            first, second = second, first
        if ancestors.has(first, second) or ancestors.has(second, first):
            continue
        second._add_control_input(first)
        ancestors.update(first, second)
        count += 1
    return count


def _is_derived(reader: Any, writer: Any) -> bool:
    """Returns whether a gradient that was created after an update reads the value before it."""
    return _number(reader) > _number(writer) and any(
        part.startswith(_GRADIENTS) for part in reader.name.split("/")
    )


class _Ancestors:
    """The operations that some operations wait for, as bits.

    Args:
      operations: The operations that may be asked about.
    """

    def __init__(self, operations: Iterable[Any]) -> None:
        self._operations = list(dict.fromkeys(operations))
        self._bits = {operation: 1 << i for i, operation in enumerate(self._operations)}
        self._ancestors: dict[Any, int] = {}
        in_order = sorted(_with_inputs(self._operations), key=_number)
        for operation in [*in_order, *in_order]:  # Twice, because the edge of a loop goes back.
            bits = self._bits.get(operation, 0)
            for before in _inputs(operation):
                bits |= self._ancestors.get(before, 0)
            self._ancestors[operation] = bits

    def has(self, operation: Any, ancestor: Any) -> bool:
        """Returns whether an operation waits for another one."""
        return bool(self._ancestors[operation] & self._bits[ancestor])

    def update(self, first: Any, second: Any) -> None:
        """Notes that `second` and all operations after it wait for `first`."""
        added, bit = self._ancestors[first], self._bits[second]
        for operation in self._operations:
            if self._ancestors[operation] & bit:
                self._ancestors[operation] |= added


def _accesses(holder: Any, is_run: set[Any]) -> tuple[list[Any], list[Any]]:
    """Returns the operations that read a variable, and those that write it, in order."""
    readers: dict[Any, None] = {}
    writers: dict[Any, None] = {}
    for consumer in (user for tensor in holder.outputs for user in tensor.consumers()):
        if consumer not in is_run:
            continue
        if consumer.type == "Identity":
            # It may share the memory of the variable. So its consumers are the readers.
            users = [user for tensor in consumer.outputs for user in tensor.consumers()]
            readers.update(dict.fromkeys(user for user in users if user in is_run))
        elif consumer.type.startswith(_WRITES) and not consumer.type.startswith(_NO_WRITES):
            writers[consumer] = None
        elif not consumer.type.startswith(("IsVariableInitialized", "VarIsInitialized")):
            readers[consumer] = None
    only_readers = [reader for reader in readers if reader not in writers]
    return only_readers, sorted(writers, key=_number)


def _with_inputs(operations: Iterable[Any]) -> set[Any]:
    """Returns operations and all operations that they wait for."""
    stack, seen = list(operations), set(operations)
    while stack:
        for before in _inputs(stack.pop()):
            if before not in seen:
                seen.add(before)
                stack.append(before)
    return seen


def _inputs(operation: Any) -> list[Any]:
    return [*(tensor.op for tensor in operation.inputs), *operation.control_inputs]


def _is_in_branch(*operations: Any) -> bool:
    """Returns whether an operation is in a loop or a branch, which nothing outside can wait for."""
    return any(operation._get_control_flow_context() is not None for operation in operations)


def _number(operation: Any) -> int:
    """Returns the position of an operation in the order in which they were created."""
    return int(operation._id)
