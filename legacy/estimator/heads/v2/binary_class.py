"""BinaryClassHead, for one label out of two classes, with a single logit.

>>> import tensorflow as tf
>>> head = BinaryClassHead(label_vocabulary=["no", "yes"])
>>> logits = tf.constant([[45.0], [-41.0]])
>>> float(head.loss(tf.constant([["yes"], ["yes"]]), logits, features={}))
20.5
>>> head.predictions(logits, ["classes"])["classes"].numpy().tolist()
[[b'yes'], [b'no']]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.arguments import check_list, validate_thresholds
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v2 import base_head
from legacy.estimator.heads.v2.metrics import AccuracyBaseline, at_thresholds, update_at_thresholds
from legacy.estimator.heads.v2.single import SingleHead
from legacy.estimator.heads.weights import broadcast_weights

tf1 = tf.compat.v1

_TEXTS = argument_texts.BINARY_CLASS | argument_texts.V2

KEYS = objectives.BINARY_CLASS_KEYS


@documented(_TEXTS)
class BinaryClassHead(objectives.BinaryClass, SingleHead):
    """Predicts one of two classes. The loss is the sigmoid cross entropy.

    Labels are [D0, ..., DN, 1] or [D0, ..., DN]: numbers in [0, 1], or names from the vocabulary.

    {args}

    Raises:
      ValueError: If an argument is invalid.
    """

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Iterable[float] | None = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = "sum_over_batch_size",
        loss_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        check_list(label_vocabulary, "label_vocabulary")
        self._thresholds = validate_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._set_classes(2, label_vocabulary)

    @documented(_TEXTS)
    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[str, tf.Tensor]:
        """Returns predictions by name.

        {args}

        Returns:
          logits and logistic (float32 [D0, ..., DN, 1]), probabilities (float32 [D0, ..., DN, 2]),
          class_ids (int64) and classes (string) [D0, ..., DN, 1], all_class_ids (int32) and
          all_classes (string) [D0, 2].

        Raises:
          ValueError: If a key is not in `KEYS`, or if the shape of the logits is wrong.
        """
        if keys:
            base_head.check_prediction_keys(keys, KEYS)
        keys = keys or KEYS
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        with tf1.name_scope(None, "predictions", (logits,)):
            return self._binary_predictions(logits, keys)

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates the metrics of a classifier, including those at thresholds.

        See the base class.
        """
        kinds = tf_keras.metrics
        with tf1.name_scope(None, "metrics", (regularization_losses,)):
            label_mean = kinds.Mean(name=MetricKeys.LABEL_MEAN)
            metrics = (
                kinds.Mean(name=MetricKeys.LOSS_MEAN),
                kinds.Accuracy(name=MetricKeys.ACCURACY),
                kinds.Precision(name=MetricKeys.PRECISION),
                kinds.Recall(name=MetricKeys.RECALL),
                kinds.Mean(name=MetricKeys.PREDICTION_MEAN),
                label_mean,
                AccuracyBaseline(label_mean, name=MetricKeys.ACCURACY_BASELINE),
                kinds.AUC(name=MetricKeys.AUC),
                kinds.AUC(curve="PR", name=MetricKeys.AUC_PR),
            )
            eval_metrics = {self._summary_key(metric.name): metric for metric in metrics}
            self._add_regularization(eval_metrics, regularization_losses)
            eval_metrics.update(at_thresholds(self._thresholds, self._summary_key))
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
        keys = [PredictionKeys.CLASS_IDS, PredictionKeys.LOGISTIC]
        predictions = self.predictions(logits, keys)
        class_ids, logistic = (predictions[key] for key in keys)
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)

        def metric(name: str) -> tf_keras.metrics.Metric:
            return eval_metrics[self._summary_key(name)]

        self._update_loss_metrics(eval_metrics, losses, weights, regularization_losses)
        for name in (MetricKeys.ACCURACY, MetricKeys.PRECISION, MetricKeys.RECALL):
            metric(name).update_state(labels, class_ids, sample_weight=weights)
        update = base_head.update_metric_with_broadcast_weights
        update(metric(MetricKeys.PREDICTION_MEAN), logistic, weights)
        update(metric(MetricKeys.LABEL_MEAN), labels, weights)
        metric(MetricKeys.ACCURACY_BASELINE).follow()
        for name in (MetricKeys.AUC, MetricKeys.AUC_PR):
            broadcast = broadcast_weights(weights, logistic)
            metric(name).update_state(labels, logistic, sample_weight=broadcast)
        update_at_thresholds(
            eval_metrics, self._thresholds, self._summary_key, labels, logistic, weights
        )
        return eval_metrics
