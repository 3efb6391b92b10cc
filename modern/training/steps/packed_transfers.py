"""Small tensors that a step sends from one task to another, together in one request.

    packed_transfers.pack(graph, [train_op])

TensorFlow makes a request for each tensor that an operation reads from another task. A step with
ten embedding columns on two parameter servers makes about a hundred. Most of them carry a few
kilobytes, and the requests cost more processor time than the rest of the step. Here the sender
concatenates such tensors, and the receiver splits them. The values are the same, bit by bit.
docs/performance.md has figures, under "Requests of a step".

Tensors are packed together only if none of them needs another. To know that, each tensor gets a
depth: the largest number of transfers on a path to it. For example, the ids of a batch have depth
0, the rows that a parameter server looks up have depth 1, and the gradients that a worker computes
of them have depth 2. A path never leads to a smaller depth, and each transfer increases it. So
tensors of one depth do not wait for each other, and packing them makes no cycle.
"""

from __future__ import annotations

import contextlib
import graphlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import tensorflow as tf

from modern.process.chosen_keras import keras
from modern.training.steps import step_wrapper

tf1 = tf.compat.v1

# Two copies of a tensor of this size took 0.13 ms of processor time, and a request 0.18 ms.
_MOST_BYTES = 256 << 10
_DTYPES = (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int32, tf.int64)
_BITS = {2: tf.int16, 4: tf.int32, 8: tf.int64}  # Integers by their bytes.
# Stateful operations that only read. A session may run them more often than its program says.
_READS = (
    *("Variable", "VariableV2", "VarHandleOp", "ReadVariableOp", "ResourceGather"),
    *("HashTable", "HashTableV2", "LookupTableFind", "LookupTableFindV2"),
    *("LookupTableSize", "LookupTableSizeV2"),
)


class _Group(NamedTuple):
    """Tensors that are packed together.

    Attributes:
      sender: The task that has them, such as "/job:ps/task:0". "" is the task that runs the step.
      receiver: The task that needs them.
      depth: The largest number of transfers on a path to each of them.
      effects: The operations with effects that each of them needs, as bits.
      dtype: Their dtype.
    """

    sender: str
    receiver: str
    depth: int
    effects: int
    dtype: tf.DType


class _Use(NamedTuple):
    """An input of an operation that another task sends."""

    consumer: tf.Operation
    number: int


def pack_steps(model: keras.Model) -> None:
    """Packs the transfers of each training step of a model under ParameterServerStrategy.

    Args:
      model: The model. A second call changes nothing, nor does one with another strategy.
    """
    if isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy):
        step_wrapper.wrap(model, _packed)


def _packed(train_step: step_wrapper.Step) -> step_wrapper.Step:
    """Returns a step whose transfers are packed when TensorFlow traces it."""

    def step(data: Any) -> Any:
        graph = tf1.get_default_graph()
        operations_before = len(graph.get_operations())
        result = train_step(data)
        if not tf.executing_eagerly():
            made = graph.get_operations()[operations_before:]
            effects = [operation for operation in made if operation.op_def.is_stateful]
            results = tf.nest.flatten(result, expand_composites=True)
            pack(graph, [*effects, *filter(tf.is_tensor, results)], set(made))
        return result

    return step


# AutoGraph would convert each call in here, which takes seconds.
@tf.autograph.experimental.do_not_convert
def pack(
    graph: tf.Graph,
    results: Iterable[tf.Operation | tf.Tensor],
    operations: set[tf.Operation] | None = None,
    task: str = "",
) -> int:
    """Packs the transfers that lead to some results.

    Fetching something else from a session still runs the same operations with effects. For example,
    it reads a batch only if it did so before.

    Args:
      graph: The graph. No session may have run it yet.
      results: What the step computes.
      operations: The operations to change. The default is all of them.
      task: The device of the task that runs the step, such as "/job:worker/task:0".

    Returns:
      The number of tensors that are now sent together with others. 0 if the graph has a loop of v1
      control flow, because depths would mean nothing there.
    """
    places = _Places(graph, task)
    sources = _sources(results, operations)
    if graph.building_function:
        _add_order_of_uses(graph, sources)
    try:
        order = [*graphlib.TopologicalSorter(sources).static_order()]
    except graphlib.CycleError:
        return 0
    groups = _groups(order, sources, places, is_fetched=not graph.building_function)
    packed = 0
    with graph.as_default(), tf1.name_scope("packed_transfers/"), tf.control_dependencies(None):
        for group, uses in groups.items():
            if len(uses) > 1:
                _send_together(group, uses)
                packed += len(uses)
    return packed


class _Places:
    """Tasks that run the operations of a graph.

    Args:
      graph: The graph.
      task: The device of the task that runs the graph.
    """

    def __init__(self, graph: tf.Graph, task: str) -> None:
        self._task = _task_of(task)
        self._places: dict[tf.Operation, str | None] = {}
        # Variables outside of a function are inputs of the function.
        for outer, inner in getattr(graph, "captures", ()):
            if inner.dtype == tf.resource:
                self._places[inner.op] = self._of_device(outer.device)

    def of(self, operation: tf.Operation) -> str | None:
        """Returns a task, such as "/job:ps/task:0", or "" for the one that runs the graph.

        None if a function is called, which may use several tasks.
        """
        if operation not in self._places:
            self._places[operation] = self._find(operation)
        return self._places[operation]

    def _find(self, operation: tf.Operation) -> str | None:
        if any("func" in attribute.type for attribute in operation.op_def.attr):
            return None
        # An operation that reads or writes a variable runs where the variable is.
        writes = any(argument.is_ref for argument in operation.op_def.input_arg)
        for source in operation.inputs:
            if source.dtype == tf.resource or (writes and source.dtype.name.endswith("_ref")):
                return self.of(source.op)
        beside = _beside(operation)
        return self._of_device(operation.device) if beside is None else self.of(beside)

    def _of_device(self, device: str) -> str:
        place = _task_of(device)
        return "" if place == self._task else place


def _beside(operation: tf.Operation) -> tf.Operation | None:
    """Returns the operation that TensorFlow must place an operation beside, or None.

    For example, the gradient of a gather asks for the shape of the rows where they were read.
    """
    for group in operation.colocation_groups():
        name = group.decode().removeprefix("loc:@")
        if name != operation.name:
            with contextlib.suppress(KeyError):  # It may be in the graph around a function.
                return operation.graph.get_operation_by_name(name)
    return None


def _task_of(device: str) -> str:
    """Returns the task of a device, such as "/job:ps/task:0"."""
    spec = tf.DeviceSpec.from_string(device or "")
    return tf.DeviceSpec(job=spec.job, task=spec.task).to_string() if spec.job else ""


def _sources(
    results: Iterable[tf.Operation | tf.Tensor], operations: set[tf.Operation] | None
) -> dict[tf.Operation, list[tf.Operation]]:
    """Returns the operations that results need, each with those that it needs itself."""
    sources: dict[tf.Operation, list[tf.Operation]] = {}
    open_operations = [r.op if isinstance(r, tf.Tensor) else r for r in results]
    while open_operations:
        operation = open_operations.pop()
        if operation in sources:
            continue
        if operations is not None and operation not in operations:
            sources[operation] = []
            continue
        sources[operation] = [source.op for source in operation.inputs] + operation.control_inputs
        open_operations += sources[operation]
    return sources


def _add_order_of_uses(graph: tf.Graph, sources: dict[tf.Operation, list[tf.Operation]]) -> None:
    """Lets each operation need the last one before it that uses the same variable.

    At the end of a function, TensorFlow adds such control inputs where one of the two writes.
    """
    last_uses: dict[Any, tf.Operation] = {}
    for operation in graph.get_operations():
        for source in operation.inputs if sources.get(operation) else ():
            if source.dtype == tf.resource:
                before = last_uses.get(source.ref(), operation)
                if before is not operation:
                    sources[operation].append(before)
                last_uses[source.ref()] = operation


def _groups(
    order: Iterable[tf.Operation],
    sources: dict[tf.Operation, list[tf.Operation]],
    places: _Places,
    is_fetched: bool,
) -> dict[_Group, dict[Any, list[_Use]]]:
    """Returns the transfers that can be packed: the uses of each tensor, by its reference.

    Args:
      order: The operations, each after those that it needs.
      sources: What they need.
      places: Where they run.
      is_fetched: Whether a session may run a part of the graph.
    """
    depths: dict[tf.Operation, int] = {}
    effects: dict[tf.Operation, int] = {}
    branches: dict[tf.Operation, int] = {}  # The number of branches of v1 that an operation is in.
    groups: dict[_Group, dict[Any, list[_Use]]] = {}
    bit = 1
    for operation in order:
        place = places.of(operation)
        depths[operation] = max(
            (depths[one] + (places.of(one) != place) for one in sources[operation]), default=0
        )
        branches[operation] = max((branches[one] for one in sources[operation]), default=0)
        branches[operation] += operation.type.endswith("Switch") - operation.type.endswith("Merge")
        effects[operation] = 0
        for one in sources[operation]:
            effects[operation] |= effects[one]
        if is_fetched and _has_effect(operation):
            effects[operation] |= bit
            bit <<= 1
        for use, tensor in _small_transfers(operation, place, places):
            # A tensor in a branch that is not taken never arrives.
            if tensor.op in depths and not branches[tensor.op]:
                group = _Group(
                    places.of(tensor.op) or "",
                    place or "",
                    depths[tensor.op],
                    effects[tensor.op],
                    tensor.dtype,
                )
                groups.setdefault(group, {}).setdefault(tensor.ref(), []).append(use)
    return groups


def _has_effect(operation: tf.Operation) -> bool:
    """Returns whether a session that runs an operation once more than asked changes something."""
    if operation.type in ("Placeholder", "PlaceholderV2"):
        return True  # Its value would have to be fed.
    return operation.op_def.is_stateful and operation.type not in _READS


def _small_transfers(
    operation: tf.Operation, place: str | None, places: _Places
) -> Iterator[tuple[_Use, tf.Tensor]]:
    """Yields the inputs of an operation that travel, and are perhaps small."""
    for number, tensor in enumerate(operation.inputs if place is not None else ()):
        if tensor.dtype not in _DTYPES or tensor.op.type == "Const":
            continue  # TensorFlow makes a copy of a constant where it is needed.
        if places.of(tensor.op) in (place, None) or _static_bytes(tensor) > _MOST_BYTES:
            continue
        yield _Use(operation, number), tensor


def _static_bytes(tensor: tf.Tensor) -> int:
    """Returns the bytes of a tensor, or 0 if its shape is known only in a step."""
    return (tensor.shape.num_elements() or 0) * tensor.dtype.size


def _send_together(group: _Group, uses: dict[Any, list[_Use]]) -> None:
    """Lets one tensor carry those of a group, and their consumers read from it.

    It begins with the numbers of elements of those tensors whose shapes are known only in a step.
    """
    tensors = sorted(
        (reference.deref() for reference in uses), key=lambda one: one.shape.is_fully_defined()
    )
    known = [one.shape.num_elements() for one in tensors if one.shape.is_fully_defined()]
    unknown = len(tensors) - len(known)
    # Floats travel as integers of the same bits. So a rewriter for mixed precision leaves them, and
    # sizes travel in the same tensor, which saves a request.
    bits = _BITS[group.dtype.size]
    size_type = tf.int64 if bits == tf.int64 else tf.int32
    header = unknown * size_type.size // bits.size
    with tf.device(None), tf.device(group.sender):
        flat = [one if one.shape.rank == 1 else tf.reshape(one, [-1]) for one in tensors]
        packed = [_with_dtype(one, bits) for one in flat]
        if unknown:
            sizes = tf.concat(tf1.shape_n(flat[:unknown], out_type=size_type), axis=0)
            packed = [tf.reshape(_with_dtype(sizes, bits), [header]), *packed]
        sent = tf.concat(packed, axis=0)
    with tf.device(None), tf.device(group.receiver):
        lengths = tf.constant(known, size_type)
        if unknown:
            sizes = sent[:header]
            if header > unknown:
                sizes = tf.reshape(sizes, [unknown, -1])
            lengths = tf.concat([[header], _with_dtype(sizes, size_type), lengths], axis=0)
        parts = tf.split(sent, lengths, num=len(packed))[-len(tensors) :]
        parts = [_with_dtype(part, group.dtype) for part in parts]
    for part, tensor in zip(parts, tensors, strict=True):
        whole = _in_shape_of(tensor, part, group)
        for use in uses[tensor.ref()]:
            use.consumer._update_input(use.number, whole)


def _with_dtype(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Returns the bits of a tensor as another dtype."""
    return tensor if tensor.dtype == dtype else tf.bitcast(tensor, dtype)


def _in_shape_of(tensor: tf.Tensor, part: tf.Tensor, group: _Group) -> tf.Tensor:
    """Returns a part of the received tensor in the shape of the one that was sent."""
    shape = tensor.shape
    known = None if shape.rank is None else shape.as_list()
    if shape.rank != 1:
        if known is not None and known.count(None) <= 1 and 0 not in known:
            sizes: Any = [-1 if size is None else size for size in known]
        else:
            with tf.device(None), tf.device(group.sender):
                sizes = tf.shape(tensor)  # Another request.
        with tf.device(None), tf.device(group.receiver):
            part = tf.reshape(part, sizes)
    part.set_shape(shape)
    return part
