"""`eval_metric_ops` as Keras metrics, updated in each batch and computed at the end.

A v1 metric is a pair of tensors: its value, and the update of its totals. `evaluate` runs the
updates in each batch. At the end it sums the totals over the replicas and feeds them to a session
of the blueprint's graph, which computes the values.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf
import tf_keras

from migrate.bridge.graphs import graph_writes
from migrate.bridge.graphs.blueprint import Blueprint

if TYPE_CHECKING:
    from migrate.bridge.graphs.variables import Variables

tf1 = tf.compat.v1


class EvalMetrics:
    """All metrics of a model_fn.

    Attributes:
      metrics: The metrics under their Keras names.
    """

    def __init__(self, blueprint: Blueprint, variables: Variables) -> None:
        self._blueprint, self._variables = blueprint, variables
        ops = blueprint.spec.eval_metric_ops or {}
        self._values = {name: _pair(metric)[0] for name, metric in ops.items()}
        self.metrics = [_BridgedMetric(name, self) for name in ops]

    def reset(self) -> None:
        """Resets all totals to their initial values."""
        self._variables.reset_local(self._blueprint.mode)

    def values(self, one_replica: bool = False) -> dict[str, Any]:
        """Returns the metrics' values: floats, or arrays for metrics with several values.

        Leaves out values that depend on the batch itself. For these, `evaluate` reports the last
        batch.

        Args:
          one_replica: If true, uses only the batches of this process's first replica.
        """
        operations_by_name = {
            name: graph_writes.reachable([value.op]) for name, value in self._values.items()
        }
        input_ops = {
            tensor.op
            for tensor in tf.nest.flatten(
                (self._blueprint.features, self._blueprint.labels), expand_composites=True
            )
            if tensor is not None
        }
        values = {
            name: self._values[name]
            for name, ops in operations_by_name.items()
            if not ops & input_ops
        }
        names = graph_writes.variables_of(
            set().union(*(operations_by_name[name] for name in values))
        )
        totals = self._totals(sorted(names), one_replica)
        graph = self._blueprint.graph
        with tf1.Session(graph=graph) as session, graph.as_default():
            graph_variables = {v.op.name: v for v in tf1.global_variables() + tf1.local_variables()}
            for name, total in totals.items():
                initializer = graph_variables[name].initializer
                session.run(initializer, {initializer.inputs[1]: total})
            results = session.run(values)
        return {name: float(v) if np.ndim(v) == 0 else v for name, v in results.items()}

    def _totals(self, names: list[str], one_replica: bool) -> dict[str, np.ndarray]:
        """Returns the values of variables, summed over replicas that keep separate values."""

        @tf.function
        def read() -> list[tf.Tensor]:
            with self._variables.in_one_replica() if one_replica else contextlib.nullcontext():
                return [tf.identity(self._variables.by_name[name]) for name in names]

        return dict(zip(names, [value.numpy() for value in read()], strict=True))


class _BridgedMetric(tf_keras.metrics.Metric):
    """Metric under its Keras name. The model resets all metrics at once."""

    def __init__(self, name: str, eval_metrics: EvalMetrics) -> None:
        super().__init__(name=name)
        self._eval_metrics = eval_metrics

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        # Abstract in Keras, where the model updates its metrics. Here model_fn updates them.
        raise NotImplementedError("model_fn updates its metrics")

    def result(self) -> Any:
        return self._eval_metrics.values()[self.name]

    def reset_state(self) -> None:
        pass


def _pair(metric: Any) -> tuple[Any, Any]:
    """Returns a metric's value and its update."""
    if isinstance(metric, tuple | list):
        return metric[0], metric[1]
    return metric.result(), metric.updates[0]


def batch_means(spec: Any) -> dict[str, Any]:
    """Returns, in a trace, the metrics after the batch.

    A metric with several values is shown as their mean. An update that is not a tensor still runs,
    because a tf.function runs all operations that write.
    """
    means = {}
    for name, metric in (spec.eval_metric_ops or {}).items():
        value, update = _pair(metric)
        result = update if tf.is_tensor(update) else value
        if tf.is_tensor(result) and result.dtype.is_floating:
            means[name] = tf.reduce_mean(result)
    return means
