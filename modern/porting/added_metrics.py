"""Metrics that a function adds to the evaluations of a model, as `tf.estimator.add_metrics` did.

    def rmse(labels, predictions):
        error = added_metrics.root_mean_squared_error(labels, predictions["predictions"])
        return {"rmse": error}

    model = porting.add_metrics(model, rmse)

The functions of this module have the arguments and the results of `tf.metrics`. In an evaluation
of a Keras model they update Keras metrics. Elsewhere, for example in a model_fn, they call
`tf.compat.v1.metrics`.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf
import tf_keras

_FUNCTIONS = "_added_metric_functions"
_ARGUMENTS = ("features", "labels", "predictions", "config")
_EPSILON = 1e-6  # Of tf.compat.v1.metrics.auc.
Pair = tuple[tf.Tensor, tf.Tensor]


class _MetricFunction:
    """A function that returns metrics, and the Keras metrics that hold their totals.

    Args:
      function: The function, as for `add_metrics`.

    Attributes:
      names: Names of the metrics of the last evaluation.
      metrics: Keras metrics by the number of the call that made them. Replicas share them.
    """

    def __init__(self, function: Callable[..., Mapping[str, Any]]) -> None:
        parameters = [*inspect.signature(function).parameters]
        unexpected = [name for name in parameters if name not in _ARGUMENTS]
        if unexpected:
            raise ValueError(
                f"the metric function {function!r} takes {unexpected}, but it may only take "
                f"{', '.join(_ARGUMENTS)}."
            )
        self._function = tf.autograph.experimental.do_not_convert(function)
        self._parameters = parameters
        self.names: set[str] = set()
        self.metrics: dict[int, tf_keras.metrics.Metric] = {}

    def results(self, features: Any, labels: Any, predictions: Any) -> dict[str, tf.Tensor]:
        """Adds a batch to the metrics, and returns their values so far by name."""
        arguments = {
            "features": features,
            "labels": labels,
            "predictions": predictions,
            "config": None,
        }
        with _entered(self):
            metrics = self._function(**{name: arguments[name] for name in self._parameters})
        if "loss" in metrics:
            raise ValueError("a metric must not have the name 'loss', which an evaluation reports.")
        self.names = {*metrics}
        return {name: _value(metric) for name, metric in metrics.items()}

    def kept(self, make: Callable[[], tf_keras.metrics.Metric]) -> tf_keras.metrics.Metric:
        """Returns the metric of the next call. The first batch makes it.

        A function makes its metrics in the same order for each batch.
        """
        number, _local.count = _local.count, _local.count + 1
        if number not in self.metrics:
            self.metrics[number] = make()
        return self.metrics[number]


_local = threading.local()  # Each replica of a MirroredStrategy has a thread.


@contextlib.contextmanager
def _entered(function: _MetricFunction) -> Iterator[None]:
    _local.function, _local.count = function, 0
    try:
        yield
    finally:
        _local.function = None


def _current() -> _MetricFunction | None:
    """Returns the metric function that is running, or None outside of an evaluation by Keras."""
    return getattr(_local, "function", None)


def _value(metric: Any) -> tf.Tensor:
    return metric.result() if isinstance(metric, tf_keras.metrics.Metric) else metric[0]


def add_metrics(
    model: tf_keras.Model, metric_fn: Callable[..., Mapping[str, Any]]
) -> tf_keras.Model:
    """Returns the model, whose evaluations then also report the metrics of a function.

    They replace metrics of the same names. A head passes its predictions to the function. Any other
    model computes them by `predict_step`, with a second forward pass.

    Args:
      model: A compiled Keras model.
      metric_fn: A function of any of the arguments features, labels, predictions and config, which
        is None. It returns metrics by name: results of the functions in this module, or Keras
        metrics from `of_class` that have been updated.

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
    model: tf_keras.Model, features: Any, labels: Any, predictions: Callable[[], Any]
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


def _reporting(model: tf_keras.Model, test_step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wraps the test_step of a model so that it also returns the added metrics."""

    def step(data: Any) -> dict[str, tf.Tensor]:
        values = test_step(data)
        features, labels, _ = tf_keras.utils.unpack_x_y_sample_weight(data)
        return {**values, **results(model, features, labels, lambda: model.predict_step(data))}

    return step


def _resetting(functions: list[_MetricFunction], reset: Callable[[], None]) -> Callable[[], None]:
    """Wraps the reset_metrics of a model so that it also resets the added metrics."""

    def reset_metrics() -> None:
        reset()
        for function in functions:
            for metric in function.metrics.values():
                metric.reset_state()

    return reset_metrics


def _without_replaced(
    functions: list[_MetricFunction], get: Callable[[], dict[str, Any]]
) -> Callable[[], dict[str, Any]]:
    """Wraps get_metrics_result so that it leaves out metrics which functions have replaced."""

    def get_metrics_result() -> dict[str, Any]:
        names: set[str] = set().union(*(function.names for function in functions))
        return {name: value for name, value in get().items() if name not in names}

    return get_metrics_result


def of_class(kind: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Returns a Keras metric, the same for each batch of a model's evaluations.

    Args:
      kind: Class of the metric, such as `tf.keras.metrics.AUC`.
      *args: Arguments of the class.
      **kwargs: Keyword arguments of the class.
    """
    function = _current()
    if function is None:
        return kind(*args, **kwargs)
    return function.kept(lambda: kind(*args, **kwargs))


def _as_in_graphs(function: Callable[..., Pair]) -> Callable[..., Pair]:
    """Returns a metric that outside of an evaluation by Keras is that of tf.compat.v1.metrics."""

    @functools.wraps(function)
    def metric(*args: Any, **kwargs: Any) -> Pair:
        if _current() is not None:
            return function(*args, **kwargs)
        pair: Pair = getattr(tf.compat.v1.metrics, function.__name__)(*args, **kwargs)
        return pair

    return metric


@_as_in_graphs
def mean(values: Any, weights: Any = None, name: str | None = None) -> Pair:
    """Returns the mean so far."""
    del name
    values = tf.cast(values, tf.float32)
    _, values, weights = _aligned(None, values, weights)
    return _updated(tf_keras.metrics.Mean, values, weights)


@_as_in_graphs
def accuracy(labels: Any, predictions: Any, weights: Any = None, name: str | None = None) -> Pair:
    """Returns the share of equal values so far."""
    labels, predictions, weights = _aligned(labels, predictions, weights)
    return mean(tf.equal(tf.cast(predictions, labels.dtype), labels), weights, name)


@_as_in_graphs
def mean_absolute_error(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the mean absolute error so far."""
    labels, predictions, weights = _aligned(labels, predictions, weights)
    return mean(tf.abs(predictions - labels), weights, name)


@_as_in_graphs
def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the mean squared error so far."""
    labels, predictions, weights = _aligned(labels, predictions, weights)
    return mean(tf.math.squared_difference(labels, predictions), weights, name)


@_as_in_graphs
def root_mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the root of the mean squared error so far."""
    value = tf.sqrt(mean_squared_error(labels, predictions, weights, name)[0])
    return value, value


@_as_in_graphs
def mean_relative_error(
    labels: Any, predictions: Any, normalizer: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the mean of the errors divided by `normalizer` so far, 0 where that is 0."""
    labels, predictions, weights = _aligned(labels, predictions, weights)
    normalizer, predictions, _ = _aligned(normalizer, predictions, None)
    errors = tf.abs(labels - predictions) / normalizer
    errors = tf.where(tf.equal(normalizer, 0), tf.zeros_like(errors), errors)
    return mean(errors, weights, name)


@_as_in_graphs
def percentage_below(
    values: Any, threshold: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the share of values below a threshold so far."""
    return mean(tf.less(values, threshold), weights, name)


@_as_in_graphs
def mean_iou(
    labels: Any, predictions: Any, num_classes: int, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the mean intersection over union of classes so far."""
    del name
    values = _flat(*_aligned(labels, predictions, weights))
    return _updated(lambda: tf_keras.metrics.MeanIoU(num_classes), *values)


@_as_in_graphs
def true_positives(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the number of true positives so far."""
    del name
    return _counted(labels, predictions, weights, True, True)


@_as_in_graphs
def true_negatives(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the number of true negatives so far."""
    del name
    return _counted(labels, predictions, weights, False, False)


@_as_in_graphs
def false_positives(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the number of false positives so far."""
    del name
    return _counted(labels, predictions, weights, False, True)


@_as_in_graphs
def false_negatives(
    labels: Any, predictions: Any, weights: Any = None, name: str | None = None
) -> Pair:
    """Returns the number of false negatives so far."""
    del name
    return _counted(labels, predictions, weights, True, False)


@_as_in_graphs
def precision(labels: Any, predictions: Any, weights: Any = None, name: str | None = None) -> Pair:
    """Returns the precision so far. All values but 0 are true."""
    hits, _ = true_positives(labels, predictions, weights, name)
    others, _ = false_positives(labels, predictions, weights, name)
    value = tf.math.divide_no_nan(hits, hits + others)
    return value, value


@_as_in_graphs
def recall(labels: Any, predictions: Any, weights: Any = None, name: str | None = None) -> Pair:
    """Returns the recall so far. All values but 0 are true."""
    hits, _ = true_positives(labels, predictions, weights, name)
    others, _ = false_negatives(labels, predictions, weights, name)
    value = tf.math.divide_no_nan(hits, hits + others)
    return value, value


@_as_in_graphs
def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
) -> Pair:
    """Returns the area under the curve so far.

    Args:
      labels: Labels. All values but 0 are true.
      predictions: Probabilities.
      weights: Weights of the predictions. None weights all equally.
      num_thresholds: Number of thresholds.
      curve: "ROC" or "PR".
      name: Name of the operations in a graph.
      summation_method: "trapezoidal", or "careful_interpolation" for the curve "PR".

    Raises:
      ValueError: There is no such method.
    """
    del name
    if summation_method not in ("trapezoidal", "careful_interpolation"):
        raise ValueError(f"the summation_method {summation_method!r} is not supported.")
    is_trapezoidal = curve == "PR" and summation_method == "trapezoidal"
    kind = TrapezoidalPR if is_trapezoidal else tf_keras.metrics.AUC
    labels, predictions = tf.cast(labels, tf.bool), tf.cast(predictions, tf.float32)
    values = _flat(*_aligned(labels, predictions, weights))
    return _updated(lambda: kind(num_thresholds, curve=curve), *values)


class TrapezoidalPR(tf_keras.metrics.AUC):
    """The area under precision by recall, as in tf.compat.v1.metrics.auc."""

    def result(self) -> tf.Tensor:
        """Returns the area."""
        hits = self.true_positives + _EPSILON
        recalls = hits / (self.true_positives + self.false_negatives + _EPSILON)
        precisions = hits / (self.true_positives + self.false_positives + _EPSILON)
        heights = (precisions[:-1] + precisions[1:]) / 2
        return tf.reduce_sum((recalls[:-1] - recalls[1:]) * heights)


def _counted(labels: Any, predictions: Any, weights: Any, label: bool, prediction: bool) -> Pair:
    """Returns the weighted number of examples with a label and a prediction so far."""
    labels, predictions = tf.cast(labels, tf.bool), tf.cast(predictions, tf.bool)
    labels, predictions, weights = _aligned(labels, predictions, weights)
    matches = tf.logical_and(tf.equal(labels, label), tf.equal(predictions, prediction))
    return _updated(tf_keras.metrics.Sum, tf.cast(matches, tf.float32), weights)


def _updated(make: Callable[[], tf_keras.metrics.Metric], *values: Any) -> Pair:
    """Updates the metric of this call, and returns its value."""
    function = _current()
    assert function is not None  # `_as_in_graphs` has checked it.
    metric = function.kept(make)
    metric.update_state(*values)
    value = metric.result()
    return value, value


def _aligned(labels: Any, predictions: Any, weights: Any) -> tuple[Any, tf.Tensor, Any]:
    """Returns labels, predictions and weights of one rank, by the rules of `tf.metrics`."""
    predictions = tf.convert_to_tensor(predictions)
    if labels is not None:
        labels = tf.convert_to_tensor(labels)
        difference = _rank_difference(predictions, labels)
        if difference == 1:
            predictions = tf.squeeze(predictions, [-1])
        elif difference == -1:
            labels = tf.squeeze(labels, [-1])
        labels.shape.assert_is_compatible_with(predictions.shape)
    if weights is not None:
        weights = tf.cast(weights, tf.float32)
        if weights.shape.rank:
            difference = _rank_difference(weights, predictions)
            if difference == 1:
                weights = tf.squeeze(weights, [-1])
            elif difference == -1:
                weights = weights[..., tf.newaxis]
        weights = tf.broadcast_to(weights, tf.shape(predictions))
    return labels, predictions, weights


def _rank_difference(first: tf.Tensor, second: tf.Tensor) -> int:
    if first.shape.rank is None or second.shape.rank is None:
        return 0
    return int(first.shape.rank - second.shape.rank)


def _flat(*tensors: Any) -> list[Any]:
    return [tensor if tensor is None else tf.reshape(tensor, [-1]) for tensor in tensors]
