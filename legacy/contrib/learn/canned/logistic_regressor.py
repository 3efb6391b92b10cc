"""LogisticRegressor of contrib.learn: adds metrics to a model function for two classes.

regressor = contrib.learn.LogisticRegressor(model_fn, thresholds=[0.3, 0.5])
regressor.fit(input_fn=input_fn, steps=1000)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import MetricKey, ModeKeys, ProblemType
from legacy.contrib.learn.estimators.estimator import Estimator
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps

tf1 = tf.compat.v1


def LogisticRegressor(  # noqa: N802
    model_fn: Callable[..., Any],
    thresholds: Sequence[float] | None = None,
    model_dir: str | None = None,
    config: Any = None,
    feature_engineering_fn: Any = None,
) -> Estimator:
    """Returns an Estimator that also evaluates the metrics of two classes.

    Args:
      model_fn: Function called as `model_fn(features, labels, mode)`. It returns a tuple of the
        predictions, which are probabilities, the loss and the train op.
      thresholds: Thresholds of accuracy, precision and recall. None is 0.5.
      model_dir: Folder of the checkpoints and event files.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: Function from features and labels to those of the model.
    """

    def with_metrics(features: Any, labels: Any, mode: str, params: Any) -> ModelFnOps:
        predictions, loss, train_op = model_fn(features, labels, mode)
        metrics = None
        if mode == ModeKeys.EVAL:
            metrics = _metrics(labels, predictions, params["thresholds"] or [0.5])
        outputs = {"head": (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})}
        return ModelFnOps(mode, predictions, loss, train_op, metrics, outputs)

    return Estimator(
        with_metrics,
        model_dir=model_dir,
        config=config,
        params={"thresholds": thresholds},
        feature_engineering_fn=feature_engineering_fn,
    )


def _metrics(labels: Any, predictions: tf.Tensor, thresholds: Sequence[float]) -> dict[str, Any]:
    if isinstance(labels, dict) and len(labels) == 1:
        (labels,) = labels.values()
    metrics = {
        MetricKey.PREDICTION_MEAN: tf1.metrics.mean(predictions),
        MetricKey.LABEL_MEAN: tf1.metrics.mean(labels),
        MetricKey.ACCURACY_BASELINE: tf1.metrics.mean(labels),
        MetricKey.AUC: tf1.metrics.auc(labels, predictions),
    }
    for threshold in thresholds:
        above = tf.cast(predictions >= threshold, tf.float32)
        metrics[MetricKey.ACCURACY_MEAN % threshold] = tf1.metrics.accuracy(labels, above)
        metrics[MetricKey.PRECISION_MEAN % threshold] = tf1.metrics.precision(labels, above)
        metrics[MetricKey.RECALL_MEAN % threshold] = tf1.metrics.recall(labels, above)
    return metrics
