"""Metrics that a function makes with `tf.compat.v1.metrics`, as a metric of Keras.

    def metric_fn(labels, classes):
        precision, precision_op = tf.compat.v1.metrics.precision(labels, classes)
        recall, recall_op = tf.compat.v1.metrics.recall(labels, classes)
        f1 = 2 * precision * recall / (precision + recall)
        return {"f1": (f1, tf.group(precision_op, recall_op))}

    metric = porting.StreamingMetrics(metric_fn)
    metric.update_state(labels, classes)
    metric.result()["f1"]

A metric of an Estimator is a pair of tensors: its value, and the operation that adds a batch to its
totals. Use this class for metrics that Keras does not have.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras, tf_variable

tf1 = tf.compat.v1
_Values = Mapping[str, Any]


class StreamingMetrics(keras.metrics.Metric):
    """The metrics that a function returns.

    The function runs in a graph of its own, once for each kind of input. The variables that it
    makes become weights of this metric.
    """

    def __init__(self, function: Callable[..., _Values], name: str = "streaming_metrics") -> None:
        """Keeps the function.

        Args:
          function: Returns the value and the update of each metric, by name, from the tensors of a
            batch. It is called like `update_state`.
          name: Name of this metric. The results have the names that the function returns.
        """
        super().__init__(name=name)
        self._function = function
        self._graphs: dict[str, _MetricGraph] = {}

    def update_state(self, *values: Any) -> None:
        """Adds a batch to the totals.

        Args:
          *values: Arguments of the function: tensors, or structures of tensors.
        """
        values = tf.nest.map_structure(tf.convert_to_tensor, values)
        specs = tf.nest.map_structure(tf.TensorSpec.from_tensor, values)
        key = repr(specs)
        if key not in self._graphs:
            self._graphs[key] = _MetricGraph(self._function, specs)
        graph = self._graphs[key]
        if not self.variables:
            with tf.init_scope():
                for variable_name, value in graph.initial_values.items():
                    self.add_weight(
                        name=variable_name.replace("/", "_") if _is_keras3() else variable_name,
                        shape=value.shape,
                        dtype=value.dtype.name,
                        initializer=functools.partial(_constant, value),
                    )
        graph.update(values, self._totals)

    def result(self) -> dict[str, tf.Tensor]:
        """Returns the value of each metric by its name. Empty before the first batch."""
        for graph in self._graphs.values():
            return graph.values([tf.identity(total) for total in self._totals])
        return {}

    def reset_state(self) -> None:
        """Sets the totals to their initial values."""
        for graph in self._graphs.values():
            for total, value in zip(self._totals, graph.initial_values.values(), strict=True):
                total.assign(value)

    @property
    def _totals(self) -> list[tf.Variable]:
        return [tf_variable(variable) for variable in self.variables]


def _is_keras3() -> bool:
    """Returns whether names of variables must not have slashes."""
    return chosen_keras.version() == 3


def _constant(value: np.ndarray, *_: Any, **__: Any) -> tf.Tensor:
    return tf.constant(value)


class _MetricGraph:
    """The graph of a metric function for one kind of input.

    Attributes:
      initial_values: Initial value of each variable, by name.
    """

    def __init__(self, function: Callable[..., _Values], specs: Any) -> None:
        variables: list[tf.Variable] = []

        def create(next_creator: Callable[..., tf.Variable], **arguments: Any) -> tf.Variable:
            variables.append(next_creator(**{**arguments, "use_resource": True}))
            return variables[-1]

        # In a new graph no strategy is active. The variables there only stand for the weights.
        with tf.Graph().as_default() as graph, tf.variable_creator_scope(create):
            inputs = tf.nest.map_structure(
                lambda spec: tf1.placeholder(spec.dtype, spec.shape), specs
            )
            # A metric may wait for an argument. An import replaces the values of placeholders, but
            # not operations that others wait for.
            arguments = tf.nest.map_structure(tf.identity, inputs)
            pairs = {name: _pair(metric) for name, metric in function(*arguments).items()}
            values = {name: tf.identity(value).name for name, (value, _) in pairs.items()}
            with tf.control_dependencies([update for _, update in pairs.values()]):
                done = tf.identity(0).name
            with tf1.Session() as session:
                session.run(tf1.variables_initializer(variables))
                initial_values = session.run(variables)
        names = [variable.op.name for variable in variables]
        self.initial_values = dict(zip(names, initial_values, strict=True))
        self._inputs = [tensor.name for tensor in tf.nest.flatten(inputs)]
        self._handles = [variable.handle.name for variable in variables]
        self._values, self._done = values, done
        # The functions of its conditions are registered in the process as long as the graph lives.
        self._graph = graph
        definition = graph.as_graph_def()
        self._updating = _needed(definition, [done])
        self._computing = _needed(definition, values.values())

    def update(self, values: Any, weights: Sequence[tf.Variable]) -> None:
        """Adds a batch to the totals.

        Args:
          values: Arguments of the function.
          weights: The totals.
        """
        pairs = [
            *zip(self._inputs, tf.nest.flatten(values), strict=True),
            *((name, weight.handle) for name, weight in zip(self._handles, weights, strict=True)),
        ]
        _run(self._updating, dict(pairs), [self._done])

    def values(self, totals: Sequence[tf.Tensor]) -> dict[str, tf.Tensor]:
        """Returns the value of each metric.

        Args:
          totals: The totals, summed over the replicas.
        """
        by_variable = dict(zip(self._handles, totals, strict=True))
        readings = {
            f"{node.name}:0": by_variable[f"{node.input[0]}:0"]
            for node in self._computing.node
            if node.op == "ReadVariableOp" and f"{node.input[0]}:0" in by_variable
        }
        results = _run(self._computing, readings, [*self._values.values()])
        return dict(zip(self._values, results, strict=True))


def _run(definition: Any, inputs: Mapping[str, Any], outputs: Sequence[str]) -> list[Any]:
    """Runs operations of another graph in the current graph, or at once if there is none.

    Args:
      definition: The other graph, as a GraphDef.
      inputs: Tensors in place of its tensors, by their names there.
      outputs: Names of the results.
    """
    if tf.executing_eagerly():
        return tf.function(functools.partial(_run, definition, inputs, outputs))()
    names = {node.name for node in definition.node}
    replaced = {
        # A tensor from outside of the current graph cannot be replaced, but a copy of it can.
        name: tf.identity(tensor)
        for name, tensor in inputs.items()
        if name.removesuffix(":0") in names
    }
    with tf.control_dependencies(None):  # An import cannot wait for other operations.
        return tf.graph_util.import_graph_def(definition, replaced, outputs, name="metrics")


def _needed(definition: Any, names: Iterable[str]) -> Any:
    """Returns the part of a graph that computes tensors or runs operations.

    Args:
      definition: The graph, as a GraphDef.
      names: Names of the tensors or operations.
    """
    nodes = {node.name: node for node in definition.node}
    needed: set[str] = set()
    open_names = [*names]
    while open_names:
        name = open_names.pop().removeprefix("^").partition(":")[0]
        if name not in needed:
            needed.add(name)
            open_names += nodes[name].input
    part = type(definition)()
    part.CopyFrom(definition)
    del part.node[:]
    part.node.extend(node for node in definition.node if node.name in needed)
    return part


def _pair(metric: Any) -> tuple[Any, Any]:
    """Returns a metric's value and its update.

    Raises:
      TypeError: The metric is one of Keras 3, whose update is not a part of a graph.
    """
    if isinstance(metric, tuple | list):
        return metric[0], metric[1]
    if not hasattr(metric, "updates"):
        raise TypeError(
            f"the metric {metric!r} is of Keras 3, which has no update in a graph: return a pair "
            "of value and update, such as tf.compat.v1.metrics.mean(values)."
        )
    return metric.result(), metric.updates[0]
