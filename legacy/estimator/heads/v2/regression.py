"""Heads of regressors: squared error, Poisson and logistic regression.

>>> import tensorflow as tf
>>> head = RegressionHead()
>>> float(head.loss(tf.constant([[1.0], [2.0]]), tf.constant([[1.0], [4.0]]), features={}))
2.0
>>> list(head.predictions(tf.constant([[1.0]])))
['predictions']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v2 import base_head
from legacy.estimator.heads.v2.single import SingleHead

tf1 = tf.compat.v1

_TEXTS = argument_texts.REGRESSION | argument_texts.V2


@documented(_TEXTS)
class RegressionHead(objectives.Regression, SingleHead):
    """Predicts numbers. The default loss is the squared error.

    {args}

    Raises:
      ValueError: If an argument is invalid.
    """

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = "sum_over_batch_size",
        loss_fn: Callable[..., Any] | None = None,
        inverse_link_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._set_dimension(label_dimension, inverse_link_fn)

    @documented(_TEXTS)
    def predictions(self, logits: Any) -> dict[str, tf.Tensor]:
        """Returns predictions by name.

        {args}

        Returns:
          "predictions" (float32, in the shape of the logits). With an inverse link function also
          "logits".
        """
        logits = base_head.check_logits_final_dim(logits, self._logits_dimension)
        with tf1.name_scope(None, "predictions", (logits,)):
            return self._predictions(logits)

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates the metrics: means of loss, predictions and labels. See the base class."""
        names = (MetricKeys.LOSS_MEAN, MetricKeys.PREDICTION_MEAN, MetricKeys.LABEL_MEAN)
        with tf1.name_scope(None, "metrics", (regularization_losses,)):
            eval_metrics = {
                self._summary_key(name): tf_keras.metrics.Mean(name=name) for name in names
            }
            self._add_regularization(eval_metrics, regularization_losses)
        return eval_metrics

    def update_metrics(
        self,
        eval_metrics: dict[str, tf_keras.metrics.Metric],
        features: Any,
        logits: Any,
        labels: Any,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Updates metrics with a batch. See the base class."""
        predicted_values = self.predictions(logits)[PredictionKeys.PREDICTIONS]
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        losses, weights = self._unweighted_loss_and_weights(
            logits, self._processed_labels(logits, labels), features
        )
        self._update_loss_metrics(eval_metrics, losses, weights, regularization_losses)
        eval_metrics[self._summary_key(MetricKeys.LABEL_MEAN)].update_state(
            labels, sample_weight=weights
        )
        base_head.update_metric_with_broadcast_weights(
            eval_metrics[self._summary_key(MetricKeys.PREDICTION_MEAN)], predicted_values, weights
        )
        return eval_metrics


@documented(_TEXTS)
class PoissonRegressionHead(RegressionHead):
    """Predicts the means of Poisson distributions. The logits are the logarithms of the means.

    {args}
    """

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = "sum_over_batch_size",
        compute_full_loss: bool = True,
        name: str | None = None,
    ) -> None:
        self._compute_full_loss = compute_full_loss
        super().__init__(
            label_dimension, weight_column, loss_reduction, self._poisson_loss, tf.exp, name
        )

    def _poisson_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf.nn.log_poisson_loss(labels, logits, self._compute_full_loss)


@documented(_TEXTS)
class LogisticRegressionHead(RegressionHead):
    """Predicts probabilities. Labels are in [0, 1], logits are log-odds.

    Unlike BinaryClassHead, it has no classes and no metrics of classes, and a label may be a
    fraction.

    {args}
    """

    def __init__(
        self,
        weight_column: Any = None,
        loss_reduction: str = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(1, weight_column, loss_reduction, self._logistic_loss, tf.sigmoid, name)

    def _logistic_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        labels = base_head.check_label_range(labels, 2, "Labels must be in range [0, 1]")
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
