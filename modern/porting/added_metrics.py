"""Metrics that a function adds to the evaluations of a model, as `tf.estimator.add_metrics` did.

    def rmse(labels, predictions):
        error = tf.compat.v1.metrics.root_mean_squared_error(labels, predictions["predictions"])
        return {"rmse": error}

    model = porting.add_metrics(model, rmse)

The function is one for `tf.estimator.add_metrics`: `StreamingMetrics` runs it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from modern.porting.streaming_metrics import StreamingMetrics
from modern.process.chosen_keras import keras

_FUNCTIONS = "_added_metric_functions"
_ARGUMENTS = ("features", "labels", "predictions", "config")


class _MetricFunction:
    """A function that returns metrics.

    Args:
      function: The function, as for `add_metrics`.

    Attributes:
      names: Names of the metrics of the last evaluation.
      totals: The totals of the metrics.
    """

    def __init__(self, function: Callable[..., Mapping[str, Any]]) -> None:
        parameters = [*inspect.signature(function).parameters]
        unexpected = [name for name in parameters if name not in _ARGUMENTS]
        if unexpected:
            raise ValueError(
                f"the metric function {function!r} takes {unexpected}, but it may only take "
                f"{', '.join(_ARGUMENTS)}."
            )
        self._function = function
        self._constants = {"config": None} if "config" in parameters else {}
        self._parameters = [name for name in parameters if name not in self._constants]
        self.names: set[str] = set()
        self.totals = StreamingMetrics(self._metrics)

    def _metrics(self, *values: Any) -> Mapping[str, Any]:
        arguments = dict(zip(self._parameters, values, strict=True))
        metrics = self._function(**arguments, **self._constants)
        if "loss" in metrics:
            raise ValueError("a metric must not have the name 'loss', which an evaluation reports.")
        self.names = {*metrics}
        return metrics

    def results(self, features: Any, labels: Any, predictions: Any) -> dict[str, tf.Tensor]:
        """Adds a batch to the metrics, and returns their values so far by name."""
        arguments = {"features": features, "labels": labels, "predictions": predictions}
        self.totals.update_state(*(arguments[name] for name in self._parameters))
        return self.totals.result()


def add_metrics(model: keras.Model, metric_fn: Callable[..., Mapping[str, Any]]) -> keras.Model:
    """Returns the model, whose evaluations then also report the metrics of a function.

    They replace metrics of the same names. A head passes its predictions to the function. Any other
    model computes them by `predict_step`, with a second forward pass.

    Args:
      model: A compiled Keras model.
      metric_fn: A function of any of the arguments features, labels, predictions and config, which
        is None. It returns metrics by name: results of `tf.compat.v1.metrics`, or Keras metrics
        that it has made and updated. It runs in a graph.

    Raises:
      ValueError: The function has another argument.
    """
    functions = vars(model).setdefault(_FUNCTIONS, [])
    if not functions:
        # Not by setattr: Keras would track these as parts of the model.
        changes: dict[str, Callable[..., Any]] = {
            "reset_metrics": _resetting(functions, model.reset_metrics),
            "get_metrics_result": _without_replaced(functions, model.get_metrics_result),
        }
        if not getattr(model, "reports_added_metrics", False):
            changes["test_step"] = _reporting(model, model.test_step)
        vars(model).update(changes)
    functions.append(_MetricFunction(metric_fn))
    model.test_function = None  # An earlier evaluation has traced it.
    return model


def results(
    model: keras.Model, features: Any, labels: Any, predictions: Callable[[], Any]
) -> dict[str, tf.Tensor]:
    """Adds a batch to the metrics that functions added to a model, and returns their values.

    Args:
      model: The model.
      features: Features of the batch.
      labels: Labels of the batch.
      predictions: Returns the predictions for the batch.
    """
    functions = vars(model).get(_FUNCTIONS, ())
    values: dict[str, tf.Tensor] = {}
    outputs = predictions() if functions else None
    for function in functions:
        values |= function.results(features, labels, outputs)
    return values


def _reporting(model: keras.Model, test_step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wraps the test_step of a model so that it also returns the added metrics."""

    def step(data: Any) -> dict[str, tf.Tensor]:
        values = test_step(data)
        features, labels, _ = keras.utils.unpack_x_y_sample_weight(data)
        return {**values, **results(model, features, labels, lambda: model.predict_step(data))}

    return step


def _resetting(functions: list[_MetricFunction], reset: Callable[[], None]) -> Callable[[], None]:
    """Wraps the reset_metrics of a model so that it also resets the added metrics."""

    def reset_metrics() -> None:
        reset()
        for function in functions:
            function.totals.reset_state()

    return reset_metrics


def _without_replaced(
    functions: list[_MetricFunction], get: Callable[[], dict[str, Any]]
) -> Callable[[], dict[str, Any]]:
    """Wraps get_metrics_result so that it leaves out metrics which functions have replaced."""

    def get_metrics_result() -> dict[str, Any]:
        names: set[str] = set().union(*(function.names for function in functions))
        return {name: value for name, value in get().items() if name not in names}

    return get_metrics_result
