"""Finds reads and writes of a variable that a session runs in no fixed order.

    for pair in unordered.pairs(graph, step_ops, markers, loss):
        print(pair.variable, pair.read.traceback, pair.write.traceback)

A session orders two operations only by data and control dependencies. A tf.function also orders all
reads and writes of a variable as the program creates them. So both agree on ordered pairs. For the
other pairs the results of a session can differ from run to run, and from those of a tf.function.

For example, `tf.group(optimizer.minimize(loss), average.apply(variables))` averages the weights
before or after the update.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import tensorflow as tf

from migrate.bridge.graphs import graph_writes

_READS = ("ReadVariableOp", "ResourceGather", "ResourceGatherNd")


class Pair(NamedTuple):
    """Two operations on a variable without a fixed order.

    Attributes:
      variable: Name of the variable.
      read: Operation that reads it.
      write: Operation that writes it.
      is_stale: True if the read comes first, and its value is used after the write. Without
        resource variables, the value shared the variable's memory, so the write changed it, too.
    """

    variable: str
    read: tf.Operation
    write: tf.Operation
    is_stale: bool = False


def pairs(
    graph: tf.Graph,
    step_ops: Collection[tf.Operation],
    markers: Mapping[tf.Operation, Iterable[str]],
    loss: tf.Operation,
) -> Iterator[Pair]:
    """Yields pairs whose order decides the result of a training step.

    Args:
      graph: Graph of the step.
      step_ops: Operations that run in the step.
      markers: Operations that represent optimizers, with the names of the variables that they
        write.
      loss: The operation of the loss.
    """
    reads: dict[str, list[tf.Operation]] = collections.defaultdict(list)
    writes: dict[str, list[tf.Operation]] = collections.defaultdict(list)
    for op in graph.get_operations():
        if op not in step_ops:
            continue
        name = graph_writes.written_variable(op)
        if name is not None:
            writes[name].append(op)
        elif op.type in _READS and op.inputs[0].op.type == "VarHandleOp":
            reads[op.inputs[0].op.name].append(op)
    for marker, names in markers.items():
        for name in names:
            writes[name].append(marker)
    order = _Order(step_ops, markers)
    for name in writes:
        for write in writes[name]:
            yield from _of_write(name, reads[name], write, order, loss)


def _of_write(
    name: str,
    reads: Iterable[tf.Operation],
    write: tf.Operation,
    order: _Order,
    loss: tf.Operation,
) -> Iterator[Pair]:
    """Yields the pairs of one write. `loss` counts only for variables that no optimizer writes."""
    is_trained = order.is_marker(write)
    earlier_reads = order.before(write, reads)
    for read in reads:
        if read not in earlier_reads:
            is_later = bool(order.before(read, [write]))
            if not is_later and order.decides(read, None if is_trained else loss):
                yield Pair(name, read, write)
        elif is_trained and order.is_used_after(read, write):
            yield Pair(name, read, write, is_stale=True)


class _Order:
    """The order of the operations of a step."""

    def __init__(
        self,
        step_ops: Collection[tf.Operation],
        markers: Mapping[tf.Operation, Iterable[str]],
    ) -> None:
        self._step_ops = step_ops
        self._markers = markers
        self._gradients = {op for marker in markers for op in marker.control_inputs}
        self._after: dict[tf.Operation, set[tf.Operation]] = {}
        self._control_consumers: dict[tf.Operation, list[tf.Operation]] = collections.defaultdict(
            list
        )
        for op in step_ops:
            for source in op.control_inputs:
                self._control_consumers[source].append(op)

    def is_marker(self, op: tf.Operation) -> bool:
        """Returns true if an operation represents an optimizer."""
        return op in self._markers

    def before(self, op: tf.Operation, others: Iterable[tf.Operation]) -> set[tf.Operation]:
        """Returns the operations of `others` that always run before `op`."""
        targets, predecessors = {*others} - {op}, set()
        for candidate in _walk(
            op, lambda operation: [*(t.op for t in operation.inputs), *operation.control_inputs]
        ):
            if candidate in targets:
                predecessors.add(candidate)
                if len(predecessors) == len(targets):
                    break
        return predecessors

    def decides(self, read: tf.Operation, loss: tf.Operation | None) -> bool:
        """Returns true if the value of a read reaches a write, or the loss."""
        return any(
            op is loss or op in self._gradients or graph_writes.written_variable(op) is not None
            for op in _walk(read, self._users)
        )

    def is_used_after(self, read: tf.Operation, write: tf.Operation) -> bool:
        """Returns true if an operation that runs after a write still uses the value of a read."""
        if write not in self._after:
            self._after[write] = {*_walk(write, self._next)}
        return any(op in self._after[write] for op in self._users(read))

    def _users(self, op: tf.Operation) -> list[tf.Operation]:
        users = [user for tensor in op.outputs for user in tensor.consumers()]
        return [user for user in users if user in self._step_ops]

    def _next(self, op: tf.Operation) -> list[tf.Operation]:
        return [*self._users(op), *self._control_consumers[op]]


def _walk(
    start: tf.Operation, near: Callable[[tf.Operation], Iterable[tf.Operation]]
) -> Iterator[tf.Operation]:
    """Yields the operations reachable from `start`, without itself, the nearest first."""
    visited, queue = {start}, collections.deque([start])
    while queue:
        for op in near(queue.popleft()):
            if op not in visited:
                visited.add(op)
                queue.append(op)
                yield op


def describe(step_pairs: Iterable[Pair], where: Callable[[tf.Operation], str]) -> str:
    """Returns a message about pairs of a step, or "" without pairs.

    Args:
      step_pairs: The pairs.
      where: Returns the line that creates an operation.
    """
    step_pairs = [*step_pairs]
    stale_pairs = [pair for pair in step_pairs if pair.is_stale]
    messages = []
    if unordered_pairs := [pair for pair in step_pairs if not pair.is_stale]:
        first = unordered_pairs[0]
        read, write = where(first.read), where(first.write)
        names = {pair.variable for pair in unordered_pairs}
        ops = first.read.graph.get_operations()
        reads_first = ops.index(first.read) < ops.index(first.write)
        messages.append(
            f"model_fn reads {_names(names)} in {read} and writes it in {write}, and nothing "
            "orders the two. The session of an Estimator ran them in any order, so its results can "
            f"differ from run to run. Here the {'read' if reads_first else 'write'} always comes "
            "first, as in the program. To fix the order, create one of them under "
            "tf.control_dependencies of the other."
        )
    if stale_pairs:
        first = stale_pairs[0]
        names = {pair.variable for pair in stale_pairs}
        messages.append(
            f"model_fn writes {_names(names)} in {where(first.write)}, and then computes with the "
            f"value that it read before in {where(first.read)}. Without resource variables, an "
            "Estimator computed with the new value there, and here it is the value that was read. "
            "To make both equal, compute all gradients before the first update."
        )
    return " ".join(messages)


def _names(names: Collection[str]) -> str:
    first = min(names)
    return f"{first!r}" + (f" (and {len(names) - 1} more)" if len(names) > 1 else "")
