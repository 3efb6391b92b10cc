"""Variables of a bridged model: created once in the strategy's scope, found in each trace.

    variables.make(blueprint)
    with variables.finder(blueprint.mode, {}).in_place():  # inside a tf.function
        spec = model_fn(features, labels, mode)

The traced model_fn creates no variables. It gets the existing ones.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import calling, contexts
from migrate.bridge.graphs.blueprint import Blueprint, requested_name

tf1 = tf.compat.v1
_GLOBAL_STEP = "global_step"
# TensorFlow keeps the variables of get_variable and variable_scope in these collections. All
# functions that are traced in eager mode share them.
_STORES = (("__variable_store",), ("__varscope",))


class Variables:
    """All variables by their v1 names.

    Attributes:
      by_name: Variables in the order of creation. The global step is the first.
      local: Initial values of the variables that no checkpoint has, such as metrics' totals.
    """

    def __init__(self, strategy: tf.distribute.Strategy) -> None:
        self._strategy = strategy
        # Endlessly, a variable on each parameter server.
        self._anchors: Iterator[tf.Variable] | None = None
        self._requested_names: dict[str, dict[str, list[str]]] = {}
        self.by_name: dict[str, tf.Variable] = {}
        self.local: dict[str, np.ndarray] = {}

    @property
    def step(self) -> tf.Variable:
        """The global step, int64."""
        return self.by_name[_GLOBAL_STEP]

    def make(self, blueprint: Blueprint) -> list[str]:
        """Creates the variables that this mode needs and lacks. Returns their names."""
        first = not self.by_name
        new_names = []
        with self._strategy.scope():
            if first:
                self.by_name[_GLOBAL_STEP] = tf.Variable(
                    blueprint.values[_GLOBAL_STEP],
                    trainable=False,
                    name=_GLOBAL_STEP,
                    aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA,
                )
                new_names.append(_GLOBAL_STEP)
            for record in blueprint.variables:
                if record.name in self.by_name:
                    continue
                self.by_name[record.name] = self._make(
                    record,
                    blueprint.values[record.name],
                    is_part=bool(blueprint.keys.get(record.name, ("", ""))[1]),
                )
                new_names.append(record.name)
                if record.local:
                    self.local[record.name] = blueprint.values[record.name]
        names_by_request: dict[str, list[str]] = collections.defaultdict(list)
        for record in blueprint.variables:
            names_by_request[record.requested_name].append(record.name)
        self._requested_names[blueprint.mode] = names_by_request
        return new_names

    def _make(self, record: Any, value: np.ndarray, is_part: bool) -> tf.Variable:
        aggregation = record.aggregation
        has_servers = isinstance(self._strategy, tf.distribute.ParameterServerStrategy)
        if aggregation == tf.VariableAggregation.NONE and not has_servers:
            # All replicas write the same value, for example a counter or the state of the job's
            # own optimizer.
            aggregation = tf.VariableAggregation.ONLY_FIRST_REPLICA
        colocated_variable = self.by_name.get(record.colocated_with)
        if has_servers and is_part and colocated_variable is None:
            colocated_variable = self._next_anchor()
        with contextlib.ExitStack() as stack:
            if (
                colocated_variable is not None
                and has_servers
                and shards(colocated_variable) == [colocated_variable]
            ):
                stack.enter_context(self._strategy.extended.colocate_vars_with(colocated_variable))
            return tf.Variable(
                value,
                trainable=record.trainable,
                name=record.name,
                synchronization=record.synchronization,
                aggregation=aggregation,
            )

    def _next_anchor(self) -> tf.Variable:
        """Returns a variable on the parameter server of the next part of a split variable.

        The model_fn's partitioner has split it for the servers. A part next to another variable is
        not split again by the strategy's partitioner.
        """
        if self._anchors is None:
            # The strategy places variables on its servers in turns.
            by_device: dict[str, tf.Variable] = {}
            while (anchor := tf.Variable(0, trainable=False)).device not in by_device:
                by_device[anchor.device] = anchor
            self._anchors = itertools.cycle(by_device.values())
        return next(self._anchors)

    def in_one_replica(self) -> contextlib.AbstractContextManager[Any]:
        """Makes variables resolve to the copies of this process's first replica in the block."""
        if isinstance(self._strategy, tf.distribute.ParameterServerStrategy):
            return contextlib.nullcontext()  # The coordinator has no replica.
        return tf.distribute.ReplicaContext(self._strategy, 0)

    def reset_local(self, mode: str) -> None:
        """Resets the local variables of a mode to their initial values."""
        # Sorted, so that all workers of MultiWorkerMirroredStrategy assign in the same order.
        for name in sorted(
            {name for names in self._requested_names[mode].values() for name in names}
        ):
            if name in self.local:
                self.by_name[name].assign(self.local[name])

    def finder(self, mode: str, replacements: dict[str, str]) -> Finder:
        """Returns a Finder of the variables for one trace of a mode.

        Args:
          mode: Mode whose blueprint has been made.
          replacements: Maps a variable's name to the name of the variable whose value it has in
            this mode, for example a moving average.
        """
        by_name = self.by_name
        if mode != calling.TRAIN:
            by_name = {name: self._replica_copy(variable) for name, variable in by_name.items()}
        return Finder(by_name, self._requested_names[mode], self.local, replacements)

    def name_test(
        self, names: Collection[str], replacements: Mapping[str, str]
    ) -> Callable[[tf.Variable], bool]:
        """Returns a function that says whether a variable, or a replica's copy, has such a name.

        Args:
          names: Names of variables.
          replacements: Argument of `finder`.
        """
        found: set[int] = set()
        for name in names:
            variable = self.by_name[replacements.get(name, name)]
            copies = self._strategy.experimental_local_results(variable)
            found |= {id(copy) for copy in (variable, *copies, *shards(variable))}
        return lambda variable: id(variable) in found

    def _replica_copy(self, variable: tf.Variable) -> tf.Variable:
        """Returns the replica's copy: without a strategy, access affects the whole variable."""
        copies = self._strategy.experimental_local_results(variable)
        return copies[contexts.local_replica(self._strategy)] if len(copies) > 1 else copies[0]


class Finder:
    """Finds the variables that a model_fn requests, in one trace."""

    def __init__(
        self,
        by_name: dict[str, tf.Variable],
        requested_names: dict[str, list[str]],
        local: Collection[str],
        replacements: dict[str, str],
    ) -> None:
        self._by_name, self._requested_names, self._local, self._replacements = (
            by_name,
            requested_names,
            local,
            replacements,
        )
        self._counts: collections.Counter[str] = collections.Counter()

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Finds variables instead of creating them, within the block, in this thread's graph."""
        _forget_collections()
        _add_once(tf1.GraphKeys.GLOBAL_STEP, self._by_name[_GLOBAL_STEP])
        with contextlib.ExitStack() as stack:
            if tf.inside_function():
                # Moving averages create their variables outside of the function.
                with tf.init_scope():
                    stack.enter_context(tf.variable_creator_scope(self._find))
            stack.enter_context(tf.variable_creator_scope(self._find))
            yield

    @contextlib.contextmanager
    def in_merge(self) -> Iterator[None]:
        """Finds variables in a merge call too, where a v1 optimizer's `apply_gradients` runs."""
        with tf.variable_creator_scope(self._find):
            yield

    def _find(self, next_creator: Any, **kwargs: Any) -> tf.Variable:
        del next_creator
        requested = requested_name(kwargs)
        names = self._requested_names.get(requested) or self._single_part(requested)
        count = self._counts[requested]
        self._counts[requested] += 1
        if count >= len(names):
            raise BridgeError(
                f"model_fn requests the variable {requested!r}, which its first call did not "
                "create. Each call must create the same variables. (A variable_partitioner for "
                "parameter servers does not work with moving averages: leave it out.)"
            )
        name = names[count]
        return self._collect(self._by_name[self._replacements.get(name, name)])

    def _single_part(self, requested: str) -> list[str]:
        """Returns the variable of a one-part partitioner, which several replicas do without."""
        first, second = (f"{requested}/part_{number}" for number in range(2))
        return [] if second in self._requested_names else self._requested_names.get(first, [])

    def _collect(self, variable: tf.Variable) -> tf.Variable:
        for shard in shards(variable):
            if shard.trainable:
                _add_once(tf1.GraphKeys.TRAINABLE_VARIABLES, shard)
        keys = tf1.GraphKeys
        is_local = variable.name.partition(":")[0] in self._local
        _add_once(keys.LOCAL_VARIABLES if is_local else keys.GLOBAL_VARIABLES, variable)
        return variable


def shards(variable: tf.Variable) -> list[tf.Variable]:
    """Returns the shards of a variable that a strategy's partitioner has split, or itself."""
    return [*variable.variables] if hasattr(type(variable), "variables") else [variable]


def _add_once(key: str, variable: tf.Variable) -> None:
    collection = tf1.get_collection_ref(key)
    if not any(variable is member for member in collection):
        collection.append(variable)


def _forget_collections() -> None:
    """Clears the collections that a tf.function's graph inherits: used names and variables.

    All replicas of a step share a graph. Replicas after the first need the collections of the
    first.
    """
    context = tf.distribute.get_replica_context()
    replica = tf.get_static_value(context.replica_id_in_sync_group) if context else None
    # Replicas are numbered over all workers. Each process has its own first replica.
    if replica and replica % len(context.strategy.extended.worker_devices):
        return
    graph = tf1.get_default_graph()
    for key in (*graph.get_all_collection_keys(), *_STORES):
        graph.clear_collection(key)
