"""Calls a model_fn once in its own v1 graph, as Estimator would, and records the result.

    function = ModelFn(model_fn, params)
    result = blueprint.of(function, "train", features_spec, labels_spec, strategy)
    print([variable.name for variable in result.variables], result.values["dense/kernel"])

The blueprint has the variables' names and initial values, the optimizers, and the EstimatorSpec.
The initial values come from a session that the spec's Scaffold prepares. Therefore its init_op,
init_fn and warm starts take effect.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from migrate.bridge.errors import BridgeError, line_in
from migrate.bridge.graphs import (
    calling,
    contexts,
    frozen_variables,
    graph_writes,
    keras_layers,
    unordered,
)
from migrate.bridge.graphs.calling import ModelFn
from migrate.bridge.optimizers import translation, watching
from migrate.checkpoint.naming import slots
from modern.training import seeds

tf1 = tf.compat.v1


@dataclasses.dataclass(frozen=True)
class VariableRecord:
    """A variable that model_fn created.

    Attributes:
      requested_name: Requested name, which several variables can share. "" if the call has no name.
      name: Unique name in the graph, which checkpoints use.
      trainable: True for a trainable variable.
      local: True for a local variable, such as a metric's, which no checkpoint has.
      synchronization: Argument of tf.Variable.
      aggregation: Argument of tf.Variable.
      colocated_with: Name of the variable that must be on the same device, or "". For example, an
        optimizer's slot is colocated with its variable.
    """

    requested_name: str
    name: str
    trainable: bool
    local: bool
    synchronization: tf.VariableSynchronization
    aggregation: tf.VariableAggregation
    colocated_with: str


@dataclasses.dataclass
class ApplyCall:
    """A recorded call of `apply_gradients`.

    Attributes:
      optimizer: The v1 optimizer.
      names: Names of the variables whose gradients are not None, in order.
      scope: Variable scope of the call: "", or a scope with a slash at its end.
      marker: Operation that represents the call in the graph.
      runs: True if train_op runs the call.
      counting: Operations that increment the call's global step.
      powers: Names of Adam's powers of beta. Unlike slots, they are in the name scope.
    """

    optimizer: Any
    names: list[str]
    scope: str
    marker: tf.Operation | None
    runs: bool = True
    counting: set[tf.Operation] = dataclasses.field(default_factory=set)
    powers: tuple[str, ...] = ()


@dataclasses.dataclass
class Blueprint:
    """Variables, optimizers and EstimatorSpec of a model_fn in one mode.

    Attributes:
      mode: The mode.
      graph: Graph of the call.
      features, labels: Placeholders that model_fn was called with.
      spec: The EstimatorSpec.
      variables: Variables in the order of creation, without the global step.
      values: Initial values of the variables and of the global step, by name.
      keys: Place of each variable in the checkpoints of the spec's Saver: key and slice ("" for
        all).
      apply_calls: Calls of `apply_gradients`, in order.
      skips_base: For each call of an optimizer's own `apply_gradients`, true if it never called the
        method of the base class.
      direct_writes: Trainable variables that are written without an optimizer.
      unordered: Message about reads and writes that a session ran in no fixed order, or "".
      frozen: Names of the variables that model_fn writes only by operations that no session ran.
    """

    mode: str
    graph: tf.Graph
    features: Any
    labels: Any
    spec: Any
    variables: list[VariableRecord]
    values: dict[str, np.ndarray]
    keys: dict[str, tuple[str, str]]
    apply_calls: list[ApplyCall]
    skips_base: list[bool]
    direct_writes: list[str]
    unordered: str = ""
    frozen: frozenset[str] = frozenset()


def of(
    function: ModelFn, mode: str, features: Any, labels: Any, strategy: tf.distribute.Strategy
) -> Blueprint:
    """Calls the model_fn in a new graph.

    Args:
      function: The model_fn.
      mode: "train", "eval" or "infer".
      features: Nest of TypeSpecs of the input.
      labels: Nest of TypeSpecs of the input. None without labels.
      strategy: Strategy that the model_fn sees in mode "train".

    Raises:
      BridgeError: The model_fn cannot be bridged.
    """
    result, writes = _of(function, mode, features, labels, strategy)
    if writes.unrun and not writes.in_steps & {*writes.unrun}:
        frozen = frozenset(writes.unrun)
        result, writes = _of(function, mode, features, labels, strategy, frozen)
    _refuse(function, mode, writes.unrun)
    return result


class _Writes(NamedTuple):
    """The writes of a model_fn.

    Attributes:
      unrun: Operations that write variables, but never ran, by the variable's name. Those of local
        variables do not count.
      in_steps: Names of the variables that steps may write.
    """

    unrun: dict[str, tf.Operation]
    in_steps: set[str]


def _of(
    function: ModelFn,
    mode: str,
    features: Any,
    labels: Any,
    strategy: tf.distribute.Strategy,
    frozen: frozenset[str] = frozenset(),
) -> tuple[Blueprint, _Writes]:
    """Returns the blueprint, and the model_fn's writes.

    `frozen` has the names of variables that model_fn cannot assign values to.
    """
    graph, seed = tf.Graph(), getattr(function.config, "tf_random_seed", None)
    # Read before the new graph becomes the default one, which would answer with its own seed.
    with tf.init_scope():
        process_seed = seeds.global_seed() if seed is None else None
    context = contexts.of_blueprint(mode, strategy)
    with keras_layers.restore_bases(), graph.as_default():
        tf1.set_random_seed(seed)
        tf1.train.create_global_step()
        inputs = tf.nest.map_structure(_placeholder, (features, labels))
        watcher = _Watcher(function, graph)
        gradient_watcher = watcher if mode == calling.TRAIN else watching.AppliesNothing()
        with (
            tf.variable_creator_scope(watcher.create),
            watching.watch(gradient_watcher),
            frozen_variables.frozen(lambda variable: variable.op.name in frozen),
            context,
        ):
            spec = function(inputs[0], inputs[1], mode)
        _check_spec(function, spec, mode)
        scaffold = spec.scaffold or tf1.train.Scaffold()
        if process_seed is not None:
            _seed_initial_values(graph, process_seed)
        collected_names = {v.op.name for v in tf1.global_variables() + tf1.local_variables()}
        # A Scaffold initializes only collected variables. For example, Keras metrics create
        # variables in training that are in no collection.
        other_variables = [
            v for _, v, _, _ in watcher.created_variables if v.op.name not in collected_names
        ]
        # This also finalizes the Scaffold, which creates the Saver that `_session_ops` and
        # `_saver_keys` read.
        values = _initial_values(scaffold, other_variables)
        trainable = {v.op.name for v in tf1.trainable_variables()}
        local = {v.op.name for v in tf1.local_variables() + other_variables}
        records = [
            VariableRecord(
                requested_name=requested,
                name=v.op.name,
                trainable=v.op.name in trainable,
                local=v.op.name in local,
                synchronization=sync,
                aggregation=aggregation,
                colocated_with=_colocation(v.op),
            )
            for requested, v, sync, aggregation in watcher.created_variables
        ]
        session_ops = _session_ops(graph, scaffold, watcher.initializers)
        writes = _writes(graph, mode, spec, session_ops, watcher.apply_calls, local)
        result = Blueprint(
            mode=mode,
            graph=graph,
            features=inputs[0],
            labels=inputs[1],
            spec=spec,
            variables=records,
            values=values,
            keys=_saver_keys(graph, scaffold.saver),
            apply_calls=watcher.apply_calls,
            skips_base=watcher.skips_base,
            direct_writes=[
                name
                for name, op in graph_writes.never_run(
                    graph, watcher.optimizer_ops, session_ops
                ).items()
                if name in trainable
            ],
            unordered=_unordered(function, graph, mode, spec, watcher.apply_calls),
            frozen=frozen,
        )
        return result, writes


class _Watcher:
    """Records the variables that model_fn creates and the gradients that it applies."""

    def __init__(self, function: ModelFn, graph: tf.Graph) -> None:
        self._function, self._graph = function, graph
        self.created_variables: list[tuple[str, Any, Any, Any]] = []
        self.initializers: list[
            tf.Operation
        ] = []  # Recorded early, because init_from_checkpoint replaces them.
        self.apply_calls: list[ApplyCall] = []
        self.skips_base: list[bool] = []
        self.optimizer_ops: set[tf.Operation] = set()

    def create(self, next_creator: Any, **kwargs: Any) -> Any:
        variable = next_creator(**kwargs)
        sync = kwargs.get("synchronization") or tf.VariableSynchronization.AUTO
        aggregation = kwargs.get("aggregation") or tf.VariableAggregation.NONE
        self.created_variables.append((requested_name(kwargs), variable, sync, aggregation))
        self.initializers.append(variable.initializer)
        return variable

    def compute(self, loss: Any, call: Callable[[Any], Any]) -> Any:
        return call(loss)

    def apply(self, optimizer: Any, pairs: watching.Pairs, step: Any, name: str | None) -> Any:
        names = [variable.op.name for gradient, variable in pairs if gradient is not None]
        if not names:
            raise BridgeError(
                "no variable has a gradient in " + line_in(self._function.function) + "."
            )
        scope = tf1.get_variable_scope().name
        apply_call = ApplyCall(optimizer, names, scope + "/" if scope else "", None)
        self.apply_calls.append(apply_call)
        if not translation.is_known(optimizer):
            with self._record_ops():
                return watching.apply_as_written(optimizer, pairs, step, name)
        apply_call.powers = self._powers_of(optimizer)
        # The update would have run the operations that compute the gradients. The marker depends on
        # them, so that writes among them count as run.
        # It depends on the learning rate, too, so that a step that the rate reads counts as read
        # before the update.
        dependencies = [g.values if isinstance(g, tf.IndexedSlices) else g for g, _ in pairs]
        dependencies.append(translation.rate_of(optimizer))
        with tf.control_dependencies([value for value in dependencies if _is_in_graph(value)]):
            apply_call.marker = tf.no_op(name="bridged_apply_gradients")
        if step is None:
            return apply_call.marker
        op_count = len(self._graph.get_operations())
        with tf.control_dependencies([apply_call.marker]):
            increment = tf1.assign_add(step, 1).op
        apply_call.counting = {*self._graph.get_operations()[op_count:]}
        return increment

    def _powers_of(self, optimizer: Any) -> tuple[str, ...]:
        """Returns the names that the optimizer's powers of beta have in an Estimator's graph."""
        if not isinstance(optimizer, tf1.train.AdamOptimizer):
            return ()
        for call in self.apply_calls:
            if call.optimizer is optimizer and call.powers:
                return call.powers  # An optimizer creates them only once in a graph.
        # The optimizer creates them outside of the branch of a tf.cond.
        with tf.init_scope():
            return tuple(tf1.get_default_graph().unique_name(name) for name in slots.POWERS)

    def apply_own(self, optimizer: Any, pairs: watching.Pairs, call: Any) -> Any:
        del optimizer
        call_count, index = len(self.apply_calls), len(self.skips_base)
        self.skips_base.append(False)
        with self._record_ops():
            result = call(pairs)
        self.skips_base[index] = len(self.apply_calls) == call_count
        return result

    @contextlib.contextmanager
    def _record_ops(self) -> Iterator[None]:
        op_count = len(self._graph.get_operations())
        yield
        self.optimizer_ops |= {*self._graph.get_operations()[op_count:]}


def requested_name(kwargs: dict[str, Any]) -> str:
    """Returns the name passed to a variable's creator, without a scope's trailing slash."""
    return (kwargs.get("name") or "").rstrip("/")


def _colocation(op: tf.Operation) -> str:
    groups = [group.decode().removeprefix("loc:@") for group in op.colocation_groups()]
    return next((name for name in groups if name != op.name), "")


def _is_in_graph(value: Any) -> bool:
    return tf.is_tensor(value) and not isinstance(value, tf.Variable)


def _placeholder(spec: Any) -> Any:
    if spec is None:
        return None
    if isinstance(spec, tf.SparseTensorSpec):
        return tf1.sparse_placeholder(spec.dtype, spec.shape)
    if isinstance(spec, tf.RaggedTensorSpec):
        inner = spec.shape[spec.ragged_rank + 1 :]
        return tf1.ragged.placeholder(spec.dtype, spec.ragged_rank, inner)
    return tf1.placeholder(spec.dtype, spec.shape)


def _check_spec(function: ModelFn, spec: Any, mode: str) -> None:
    required_fields = {calling.TRAIN: ("loss", "train_op"), calling.EVAL: ("loss",)}
    required_fields[calling.PREDICT] = ("predictions",)
    for name in required_fields[mode]:
        if getattr(spec, name, None) is None:
            raise BridgeError(
                f"model_fn {function.function!r} returned {type(spec).__name__} without {name} in "
                f"mode {mode!r}: return an EstimatorSpec that has it."
            )


def _seed_initial_values(graph: tf.Graph, seed: int) -> None:
    """Sets the seed of the process on the unseeded random operations of a graph.

    Thus `migrate train --seed` decides the initial values, as it does for a Keras model. Operations
    with a seed keep it and draw the same numbers as in an Estimator, which ignored the seed of the
    process too. A seed of the graph would change their numbers.
    """
    for number, op in enumerate(graph.get_operations()):
        is_random = {"seed", "seed2"} <= {attr.name for attr in op.op_def.attr}
        if is_random and not op.get_attr("seed") and not op.get_attr("seed2"):
            op._set_attr("seed", tf1.AttrValue(i=seed))
            op._set_attr("seed2", tf1.AttrValue(i=number))


def _initial_values(scaffold: Any, other_variables: list[Any]) -> dict[str, np.ndarray]:
    """Returns the values of all variables in a session that the Scaffold prepares."""
    variables = [*tf1.global_variables(), *tf1.local_variables(), *other_variables]
    initializers = [v.initializer for v in other_variables]
    scaffold.finalize()
    session = tf1.train.ChiefSessionCreator(scaffold).create_session()
    with session:
        session.run(initializers)
        values = session.run(variables)
    return {v.op.name: value for v, value in zip(variables, values, strict=True)}


def _saver_keys(graph: tf.Graph, saver: Any) -> dict[str, tuple[str, str]]:
    """Returns each variable's place in a Saver's checkpoints, read from its restore operations."""
    keys = {}
    for op in graph.get_operations():
        if not op.type.startswith("Assign") or len(op.inputs) < 2:
            continue
        value = op.inputs[1]
        while value.op.type == "Identity":
            value = value.op.inputs[0]
        restore = value.op
        if restore.type != "RestoreV2" or not _belongs_to(restore, saver):
            continue
        names, parts = (tf.get_static_value(restore.inputs[i]) for i in (1, 2))
        name = graph_writes.written_variable(op)
        if name is not None:
            index = value.value_index
            keys[name] = (names[index].decode(), parts[index].decode())
    return keys


def _belongs_to(restore: tf.Operation, saver: Any) -> bool:
    """Returns true if a restore operation belongs to this Saver, because it is in its scope."""
    scope = saver.saver_def.restore_op_name.rpartition("/")[0]
    return restore.name.startswith(scope + "/") if scope else True


def _writes(
    graph: tf.Graph,
    mode: str,
    spec: Any,
    session_ops: set[tf.Operation],
    apply_calls: list[ApplyCall],
    local: set[str],
) -> _Writes:
    """Returns the writes, and marks the calls that train_op does not run."""
    step_ops = graph_writes.reachable(_ops(_fetched_in(mode, spec)))
    for call in apply_calls:
        call.runs = mode == calling.TRAIN and (
            call.marker is None or graph_writes.calling_op(call.marker, graph) in step_ops
        )
    session_ops = session_ops.union(*(call.counting for call in apply_calls if not call.runs))
    never_run = graph_writes.never_run(graph, step_ops, session_ops)
    optimized = {name for call in apply_calls if call.runs for name in call.names}
    return _Writes(
        unrun={name: op for name, op in never_run.items() if name not in local},
        in_steps=graph_writes.may_write(step_ops) | optimized,
    )


def _refuse(function: ModelFn, mode: str, unrun_writes: dict[str, tf.Operation]) -> None:
    """Raises BridgeError if an operation writes a variable, but Estimator never ran it."""
    if not unrun_writes:
        return
    name, op = next(iter(unrun_writes.items()))
    suffix = f" (and {len(unrun_writes) - 1} more)" if len(unrun_writes) > 1 else ""
    where = line_in(function.function, op.traceback)
    if mode == calling.TRAIN:
        raise BridgeError(
            f"model_fn creates an operation that writes {name!r}{suffix} and leaves it out of "
            f"train_op. Estimator never ran it, but Keras would: do not create it. {where}"
        )
    raise BridgeError(
        f"model_fn creates an operation that writes {name!r}{suffix} in mode {mode!r}, which "
        f"Estimator never ran, but Keras would. Create it in mode 'train' only. {where}"
    )


def _unordered(
    function: ModelFn, graph: tf.Graph, mode: str, spec: Any, apply_calls: list[ApplyCall]
) -> str:
    """Returns a message about reads and writes of a training step in no fixed order, or ""."""
    if mode != calling.TRAIN:
        return ""
    step_ops = graph_writes.reachable(_ops(_fetched_in(mode, spec)))
    markers = {
        call.marker: call.names
        for call in apply_calls
        if call.marker is not None and call.marker.graph is graph and call.runs
    }
    (loss,) = _ops([spec.loss])
    pairs = unordered.pairs(graph, step_ops, markers, loss)
    return unordered.describe(pairs, lambda op: line_in(function.function, op.traceback))


def _session_ops(
    graph: tf.Graph, scaffold: Any, initializers: list[tf.Operation]
) -> set[tf.Operation]:
    """Returns the operations that run outside of steps: to initialize, save and restore."""
    saver = scaffold.saver.saver_def
    roots = [scaffold.init_op, scaffold.local_init_op, scaffold.ready_op]
    roots += [graph.get_operation_by_name(saver.restore_op_name)]
    roots += [v.initializer for v in tf1.global_variables() + tf1.local_variables()]
    roots += initializers
    return graph_writes.reachable(_ops(roots))


def _fetched_in(mode: str, spec: Any) -> list[Any]:
    """Returns the values that Estimator fetches in each step of a mode."""
    if mode == calling.TRAIN:
        return [spec.train_op, spec.loss]
    if mode == calling.EVAL:
        return [spec.loss, *tf.nest.flatten(spec.eval_metric_ops or {}, expand_composites=True)]
    return tf.nest.flatten(spec.predictions, expand_composites=True)


def _ops(values: list[Any]) -> list[tf.Operation]:
    return [getattr(value, "op", value) for value in values if value is not None]
