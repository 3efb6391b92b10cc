"""The v1 head for one label out of two classes, with a single logit.

>>> BinaryClassHead(thresholds=[0.5]).logits_dimension
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.arguments import check_list, validate_thresholds
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v1 import metrics
from legacy.estimator.heads.v1.base_head import LossSpec
from legacy.estimator.heads.v1.single import SingleHead

tf1 = tf.compat.v1

_TEXTS = argument_texts.BINARY_CLASS | argument_texts.V1


@documented(_TEXTS)
class BinaryClassHead(objectives.BinaryClass, SingleHead):
    """Predicts one of two classes. The loss is the sigmoid cross entropy.

    {args}

    Raises:
      ValueError: If an argument is invalid.
      TypeError: If the vocabulary is not a list or tuple.
    """

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Iterable[float] | None = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = tf1.losses.Reduction.SUM,
        loss_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        check_list(label_vocabulary, "label_vocabulary", TypeError, "should be a list or tuple")
        self._thresholds = validate_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._set_classes(2, label_vocabulary)

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        with tf1.name_scope(None, "predictions", (logits,)):
            return self._binary_predictions(logits, objectives.BINARY_CLASS_KEYS)

    def _metrics(
        self, predictions: Mapping[str, tf.Tensor], loss: LossSpec, labels: Any
    ) -> dict[str, Any]:
        keys = MetricKeys
        labels, weights = loss.processed_labels, loss.weights
        logistic = predictions[PredictionKeys.LOGISTIC]
        answers = (labels, predictions[PredictionKeys.CLASS_IDS], weights)
        with tf1.name_scope(None, "metrics", tuple(predictions.values())):
            mean = metrics.indicator_labels_mean(labels, weights, keys.LABEL_MEAN)
            eval_metrics = {
                keys.LOSS_MEAN: tf1.metrics.mean(loss.unreduced_loss, weights, name=keys.LOSS_MEAN),
                keys.ACCURACY: tf1.metrics.accuracy(*answers, name=keys.ACCURACY),
                keys.PRECISION: tf1.metrics.precision(*answers, name=keys.PRECISION),
                keys.RECALL: tf1.metrics.recall(*answers, name=keys.RECALL),
                keys.PREDICTION_MEAN: metrics.predictions_mean(
                    logistic, weights, keys.PREDICTION_MEAN
                ),
                keys.LABEL_MEAN: mean,
                keys.ACCURACY_BASELINE: metrics.accuracy_baseline(mean),
                keys.AUC: metrics.auc(labels, logistic, weights, name=keys.AUC),
                keys.AUC_PR: metrics.auc(labels, logistic, weights, "PR", keys.AUC_PR),
            }
            eval_metrics = {
                self._summary_key(name): metric for name, metric in eval_metrics.items()
            }
            eval_metrics.update(
                metrics.at_thresholds(
                    self._thresholds, self._summary_key, labels, logistic, weights
                )
            )
        return eval_metrics

    def _eval_metric_ops(
        self,
        labels: tf.Tensor,
        logits: tf.Tensor,
        logistic: tf.Tensor,
        class_ids: tf.Tensor,
        weights: Any,
        unreduced_loss: tf.Tensor,
        regularization_loss: tf.Tensor | None,
    ) -> dict[str, Any]:
        """Returns the metrics by name. Subclasses in libraries call this."""
        del logits
        loss = LossSpec(None, unreduced_loss, weights, labels)
        predictions = {PredictionKeys.LOGISTIC: logistic, PredictionKeys.CLASS_IDS: class_ids}
        return self._with_regularization(
            self._metrics(predictions, loss, labels), regularization_loss
        )
