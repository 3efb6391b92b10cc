"""The v1 head of a regressor.

>>> RegressionHead(label_dimension=2).logits_dimension
2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.export.outputs import PredictOutput, RegressionOutput
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v1.base_head import LossSpec
from legacy.estimator.heads.v1.metrics import predictions_mean
from legacy.estimator.heads.v1.single import SingleHead
from legacy.estimator.heads.v2 import base_head as v2

tf1 = tf.compat.v1

_TEXTS = argument_texts.REGRESSION | argument_texts.V1


@documented(_TEXTS)
class RegressionHead(SingleHead):
    """Predicts numbers. The default loss is the squared error.

    {args}

    Raises:
      ValueError: If an argument is invalid.
    """

    _weights_per_logit = True

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
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}. It must be at least 1.")
        self._logits_dimension = self._loss_dimension = label_dimension
        self._inverse_link_fn = inverse_link_fn

    @property
    def logits_dimension(self) -> int:
        """Number of labels per example."""
        return self._logits_dimension

    def _processed_labels(self, logits: tf.Tensor, labels: Any) -> tf.Tensor:
        labels = v2.check_dense_labels_match_logits_and_reshape(
            labels, logits, self._logits_dimension
        )
        return tf.cast(labels, tf.float32)

    def _default_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf1.losses.mean_squared_error(labels, logits, reduction=tf1.losses.Reduction.NONE)

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        if not self._inverse_link_fn:
            return {PredictionKeys.PREDICTIONS: logits}
        return {
            PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits),
            PredictionKeys.LOGITS: logits,
        }

    def _export_outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        value = RegressionOutput(predictions[PredictionKeys.PREDICTIONS])
        return {
            v2.DEFAULT_SERVING_KEY: value,
            v2.REGRESS_SERVING_KEY: value,
            v2.PREDICT_SERVING_KEY: PredictOutput(predictions),
        }

    def _metrics(
        self, predictions: Mapping[str, tf.Tensor], loss: LossSpec, labels: Any
    ) -> dict[str, Any]:
        predicted = predictions[PredictionKeys.PREDICTIONS]
        return {
            self._summary_key(MetricKeys.LOSS_MEAN): tf1.metrics.mean(
                loss.unreduced_loss, loss.weights
            ),
            self._summary_key(MetricKeys.PREDICTION_MEAN): predictions_mean(
                predicted, loss.weights, MetricKeys.PREDICTION_MEAN
            ),
            # The labels as passed by the caller. Their shape may lack the last dimension.
            self._summary_key(MetricKeys.LABEL_MEAN): tf1.metrics.mean(labels, loss.weights),
        }
