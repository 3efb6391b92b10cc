"""The v1 head for any number of labels out of several classes.

>>> MultiLabelHead(n_classes=3).logits_dimension
3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.arguments import check_multi_label_arguments, validate_thresholds
from legacy.estimator.heads.class_metrics import class_metric_names, metric_classes, of_class
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v1 import metrics
from legacy.estimator.heads.v1.base_head import LossSpec
from legacy.estimator.heads.v1.single import SingleHead

tf1 = tf.compat.v1

_TEXTS = argument_texts.MULTI_LABEL | argument_texts.V1


@documented(_TEXTS)
class MultiLabelHead(objectives.MultiLabel, SingleHead):
    """Predicts the probability of each class. The loss is the mean sigmoid cross entropy.

    {args}

    Raises:
      ValueError: If an argument is invalid.
    """

    def __init__(
        self,
        n_classes: int,
        weight_column: Any = None,
        thresholds: Iterable[float] | None = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = tf1.losses.Reduction.SUM_OVER_BATCH_SIZE,
        loss_fn: Callable[..., Any] | None = None,
        classes_for_class_based_metrics: Sequence[int | str] | None = None,
        name: str | None = None,
    ) -> None:
        check_multi_label_arguments(n_classes, label_vocabulary, "multi-class")
        self._thresholds = validate_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._metric_classes = metric_classes(
            classes_for_class_based_metrics, n_classes, label_vocabulary
        )
        self._set_classes(n_classes, label_vocabulary)

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        with tf1.name_scope(None, "predictions", (logits,)):
            probabilities = tf.sigmoid(logits, name=PredictionKeys.PROBABILITIES)
            return {PredictionKeys.LOGITS: logits, PredictionKeys.PROBABILITIES: probabilities}

    def _metrics(
        self, predictions: Mapping[str, tf.Tensor], loss: LossSpec, labels: Any
    ) -> dict[str, Any]:
        keys = MetricKeys
        labels, weights = loss.processed_labels, loss.weights
        probabilities = predictions[PredictionKeys.PROBABILITIES]
        with tf1.name_scope(None, "metrics", tuple(predictions.values())):
            eval_metrics = {
                keys.LOSS_MEAN: tf1.metrics.mean(loss.unreduced_loss, weights, name=keys.LOSS_MEAN),
                keys.AUC: tf1.metrics.auc(labels, probabilities, weights, name=keys.AUC),
                keys.AUC_PR: tf1.metrics.auc(
                    labels, probabilities, weights, curve="PR", name=keys.AUC_PR
                ),
            }
            eval_metrics = {
                self._summary_key(name): metric for name, metric in eval_metrics.items()
            }
            eval_metrics.update(
                metrics.at_thresholds(
                    self._thresholds, self._summary_key, labels, probabilities, weights
                )
            )
            for class_id in self._metric_classes:
                mean, auc, auc_pr = class_metric_names(class_id, self._label_vocabulary)
                of_this = (of_class(labels, class_id), of_class(probabilities, class_id), weights)
                eval_metrics[self._summary_key(mean)] = metrics.predictions_mean(*of_this[1:], mean)
                eval_metrics[self._summary_key(auc)] = metrics.auc(*of_this, name=auc)
                eval_metrics[self._summary_key(auc_pr)] = metrics.auc(*of_this, "PR", auc_pr)
        return eval_metrics
