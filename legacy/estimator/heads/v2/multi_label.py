"""MultiLabelHead, for any number of labels out of several classes.

>>> import tensorflow as tf
>>> head = MultiLabelHead(n_classes=2)
>>> logits = tf.constant([[-10.0, 10.0], [-15.0, 10.0]])
>>> round(float(head.loss(tf.constant([[1, 0], [1, 1]]), logits, features={})), 2)
8.75

Labels are an indicator tensor, [D0, ..., DN, n_classes], or a SparseTensor with the indices or
names of classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.arguments import check_multi_label_arguments, validate_thresholds
from legacy.estimator.heads.class_metrics import class_metric_names, metric_classes, of_class
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v2 import base_head
from legacy.estimator.heads.v2.metrics import at_thresholds, update_at_thresholds
from legacy.estimator.heads.v2.single import SingleHead

tf1 = tf.compat.v1

_TEXTS = argument_texts.MULTI_LABEL | argument_texts.V2

KEYS = (PredictionKeys.LOGITS, PredictionKeys.PROBABILITIES, PredictionKeys.CLASSES)


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
        loss_reduction: str = "sum_over_batch_size",
        loss_fn: Callable[..., Any] | None = None,
        classes_for_class_based_metrics: Sequence[int | str] | None = None,
        name: str | None = None,
    ) -> None:
        check_multi_label_arguments(n_classes, label_vocabulary)
        self._thresholds = validate_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._metric_classes = metric_classes(
            classes_for_class_based_metrics, n_classes, label_vocabulary
        )
        self._set_classes(n_classes, label_vocabulary)

    @documented(_TEXTS)
    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[str, tf.Tensor]:
        """Returns predictions by name.

        {args}

        Returns:
          logits and probabilities (float32, in the shape of the logits), and the names of all
          classes (string, [D0, n_classes]) as "classes".

        Raises:
          ValueError: If a key is not in `KEYS`, or if the shape of the logits is wrong.
        """
        if keys:
            base_head.check_prediction_keys(keys, KEYS)
        keys = keys or KEYS
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        predictions = {}
        with tf1.name_scope(None, "predictions", (logits,)):
            if PredictionKeys.LOGITS in keys:
                predictions[PredictionKeys.LOGITS] = logits
            if PredictionKeys.PROBABILITIES in keys:
                predictions[PredictionKeys.PROBABILITIES] = tf.sigmoid(
                    logits, name=PredictionKeys.PROBABILITIES
                )
            if PredictionKeys.CLASSES in keys:
                predictions[PredictionKeys.CLASSES] = base_head.all_classes(
                    logits, self._n_classes, self._label_vocabulary
                )
        return predictions

    def _class_metric_keys(self, class_id: int) -> list[str]:
        names = class_metric_names(class_id, self._label_vocabulary)
        return [self._summary_key(name) for name in names]

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates the metrics of all classes together, at each threshold and of single classes.

        See the base class.
        """
        kinds = tf_keras.metrics
        with tf1.name_scope(None, "metrics", (regularization_losses,)):
            metrics = (
                kinds.Mean(name=MetricKeys.LOSS_MEAN),
                kinds.AUC(name=MetricKeys.AUC),
                kinds.AUC(curve="PR", name=MetricKeys.AUC_PR),
            )
            eval_metrics = {self._summary_key(metric.name): metric for metric in metrics}
            self._add_regularization(eval_metrics, regularization_losses)
            eval_metrics.update(at_thresholds(self._thresholds, self._summary_key))
            for class_id in self._metric_classes:
                mean, auc, auc_pr = self._class_metric_keys(class_id)
                eval_metrics[mean] = kinds.Mean(name=mean)
                eval_metrics[auc] = kinds.AUC(name=auc)
                eval_metrics[auc_pr] = kinds.AUC(curve="PR", name=auc_pr)
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
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        key = PredictionKeys.PROBABILITIES
        probabilities = self.predictions(logits, [key])[key]

        self._update_loss_metrics(eval_metrics, losses, weights, regularization_losses)
        for name in (MetricKeys.AUC, MetricKeys.AUC_PR):
            eval_metrics[self._summary_key(name)].update_state(
                labels, probabilities, sample_weight=weights
            )
        update_at_thresholds(
            eval_metrics, self._thresholds, self._summary_key, labels, probabilities, weights
        )
        for class_id in self._metric_classes:
            mean, *areas = self._class_metric_keys(class_id)
            of_this = (of_class(labels, class_id), of_class(probabilities, class_id))
            base_head.update_metric_with_broadcast_weights(eval_metrics[mean], of_this[1], weights)
            for area in areas:
                eval_metrics[area].update_state(*of_this, sample_weight=weights)
        return eval_metrics
