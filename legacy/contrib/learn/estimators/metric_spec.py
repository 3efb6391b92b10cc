"""MetricSpec: a metric function with the keys of its labels, predictions and weights.

metrics = {"accuracy": MetricSpec(contrib.metrics.streaming_accuracy, prediction_key="classes")}
estimator.evaluate(input_fn=input_fn, metrics=metrics)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments

tf1 = tf.compat.v1

# Names that metric functions may give to their arguments.
_LABELS = ("labels", "label", "targets", "target")
_PREDICTIONS = ("predictions", "prediction", "logits", "logit")
_WEIGHTS = ("weights", "weight")


class MetricSpec:
    """A metric of `Estimator.evaluate`.

    Args:
      metric_fn: Function that takes predictions and, if it names them, labels and weights. It
        returns (value, update op).
      prediction_key: Key of the prediction, if predictions are a dict.
      label_key: Key of the label, if labels are a dict.
      weight_key: Name of the feature with the weights.

    Raises:
      ValueError: The function does not take an argument whose key is set, or names it twice.
    """

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self._metric_fn_name = _name(metric_fn)
        self._metric_fn = _adapt(metric_fn, label_key is not None, weight_key is not None)
        self._prediction_key = prediction_key
        self._label_key = label_key
        self._weight_key = weight_key

    @property
    def prediction_key(self) -> str | None:
        """The key of the prediction."""
        return self._prediction_key

    @property
    def label_key(self) -> str | None:
        """The key of the label."""
        return self._label_key

    @property
    def weight_key(self) -> str | None:
        """The name of the feature with the weights."""
        return self._weight_key

    @property
    def metric_fn(self) -> Callable[..., Any]:
        """The metric function, which takes `labels`, `predictions` and `weights` by name."""
        return self._metric_fn

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """Calls the metric function.

        Args:
          inputs: Features by name, which include the weights.
          labels: A tensor or a dict of tensors.
          predictions: A tensor or a dict of tensors.

        Returns:
          The return value of the function.

        Raises:
          ValueError: A key is missing or superfluous.
          KeyError: A key is unknown.
        """
        return self._metric_fn(
            labels=_pick("label", labels, self._label_key),
            predictions=_pick("prediction", predictions, self._prediction_key),
            weights=inputs[self._weight_key] if self._weight_key else None,
        )

    def __str__(self) -> str:
        return (
            f"MetricSpec(metric_fn={self._metric_fn_name}, prediction_key={self._prediction_key}, "
            f"label_key={self._label_key}, weight_key={self._weight_key})"
        )


def _name(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", str(function))


def _pick(name: str, values: Any, key: str | None) -> Any:
    if key:
        if not isinstance(values, dict):
            raise ValueError(
                f"MetricSpec with {name}_key specified requires {name}s dict, got {values}. Leave "
                f"out {name}_key where the {name}s are a single tensor."
            )
        if key not in values:
            raise KeyError(f"Key '{key}' missing from {list(values)}.")
        return values[key]
    if isinstance(values, dict):
        if len(values) != 1:
            raise ValueError(
                f"MetricSpec without specified {name}_key requires {name}s tensor or single "
                f"element dict, got {values}"
            )
        return next(iter(values.values()))
    return values


def _matching(
    function: Any, names: tuple[str, ...], candidates: tuple[str, ...], required: bool
) -> str | None:
    """Returns the argument of the function that is one of `candidates`, or None."""
    matches = [name for name in names if name in candidates]
    if len(matches) > 1:
        raise ValueError(f"Ambiguous arguments {matches}, must provide only one of {candidates}.")
    if not matches and required:
        raise ValueError(f"{candidates} missing from {_name(function)}({names}).")
    return matches[0] if matches else None


def _adapt(
    function: Callable[..., Any], labels_required: bool, weights_required: bool
) -> Callable[..., Any]:
    """Returns a wrapper that takes labels, predictions and weights by name."""
    names = arguments.names(function)
    label = _matching(function, names, _LABELS, labels_required)
    prediction = _matching(function, names, _PREDICTIONS, False)
    weight = _matching(function, names, _WEIGHTS, weights_required)

    def metric_fn(*, labels: Any = None, predictions: Any = None, weights: Any = None) -> Any:
        keywords = {}
        if weights is not None:
            if weight is None:
                raise TypeError(f"{_name(function)} takes no weights: it takes {names}.")
            keywords[weight] = weights
        if prediction:
            keywords[prediction] = predictions
            if label:
                keywords[label] = labels
            return function(**keywords)
        # The function has no known name for predictions, so they are passed by position: after the
        # labels if labels are its first argument, otherwise as the first argument.
        if label and names[0] == label:
            return function(labels, predictions, **keywords)
        if label:
            keywords[label] = labels
        return function(predictions, **keywords)

    return metric_fn
