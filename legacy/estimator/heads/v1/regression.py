"""The v1 head of a regressor.

>>> RegressionHead(label_dimension=2).logits_dimension
2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v1.base_head import LossSpec
from legacy.estimator.heads.v1.metrics import predictions_mean
from legacy.estimator.heads.v1.single import SingleHead

tf1 = tf.compat.v1

_TEXTS = argument_texts.REGRESSION | argument_texts.V1


@documented(_TEXTS)
class RegressionHead(objectives.Regression, SingleHead):
    """Predicts numbers. The default loss is the squared error.

    {args}

    Raises:
      ValueError: If an argument is invalid.
    """

    def __init__(
        self,
        weight_column: Any = None,
        label_dimension: int = 1,
        loss_reduction: str = tf1.losses.Reduction.SUM,
        loss_fn: Callable[..., Any] | None = None,
        inverse_link_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._set_dimension(label_dimension, inverse_link_fn)

    def _metrics(
        self, predictions: Mapping[str, tf.Tensor], loss: LossSpec, labels: Any
    ) -> dict[str, Any]:
        predicted_values = predictions[PredictionKeys.PREDICTIONS]
        return {
            self._summary_key(MetricKeys.LOSS_MEAN): tf1.metrics.mean(
                loss.unreduced_loss, loss.weights
            ),
            self._summary_key(MetricKeys.PREDICTION_MEAN): predictions_mean(
                predicted_values, loss.weights, MetricKeys.PREDICTION_MEAN
            ),
            # The labels as passed by the caller. Their shape may lack the last dimension.
            self._summary_key(MetricKeys.LABEL_MEAN): tf1.metrics.mean(labels, loss.weights),
        }

    def _eval_metric_ops(
        self,
        predicted_value: tf.Tensor,
        labels: tf.Tensor,
        weights: Any,
        unreduced_loss: tf.Tensor,
        regularization_loss: tf.Tensor | None,
    ) -> dict[str, Any]:
        """Returns the metrics by name. Subclasses in libraries call this."""
        loss = LossSpec(None, unreduced_loss, weights, labels)
        metrics = self._metrics({PredictionKeys.PREDICTIONS: predicted_value}, loss, labels)
        return self._with_regularization(metrics, regularization_loss)
