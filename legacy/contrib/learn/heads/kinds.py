"""Kinds of heads, with their predictions, losses and metrics.

The functions in `single` create them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy import contrib
from legacy.contrib.learn.constants import MetricKey, PredictionKey, ProblemType
from legacy.contrib.learn.heads import labels_and_losses as parts
from legacy.contrib.learn.heads.base import SingleHead

tf1 = tf.compat.v1


class RegressionHead(SingleHead):
    """A head whose predictions are the logits, mapped by a link function."""

    def __init__(self, link_fn: Callable[[Any], Any], **settings: Any) -> None:
        super().__init__(ProblemType.LINEAR_REGRESSION, **settings)
        self._link_fn = link_fn

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        if self._logits_dimension == 1:
            logits = tf.squeeze(logits, [1])
        return {PredictionKey.SCORES: self._link_fn(logits)}

    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        return {}


class ClassHead(SingleHead):
    """Base class of heads for classification: exports probabilities and class names."""

    def __init__(
        self,
        problem_type: int,
        thresholds: Sequence[float] | None,
        metric_class_ids: Sequence[int] | None = None,
        label_keys: Sequence[str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(problem_type, **settings)
        self._thresholds = thresholds or (0.5,)
        self._metric_class_ids = tuple(metric_class_ids or ())
        self._label_keys = label_keys
        for class_id in self._metric_class_ids:
            if not 0 <= class_id < self._logits_dimension:
                raise ValueError(f"Class ID {class_id} not in [0, {self._logits_dimension}).")
        if label_keys and len(label_keys) != self._logits_dimension:
            raise ValueError("Length of label_keys must equal n_classes.")

    def _outputs_to_export(self, predictions: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        """Returns the probabilities and, for each example, the names of all classes."""
        probabilities = predictions[PredictionKey.PROBABILITIES]
        shape = tf.shape(probabilities)
        names = self._label_keys or tf.as_string(tf.range(shape[1]))
        classes = tf.tile(tf.convert_to_tensor(names)[tf.newaxis, :], [shape[0], 1])
        return {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: classes}


class BinaryLogisticHead(ClassHead):
    """A head for two classes, with one logit."""

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        two_class_logits = tf.concat([tf.zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: tf.sigmoid(logits, name=PredictionKey.LOGISTIC),
            PredictionKey.PROBABILITIES: tf.nn.softmax(
                two_class_logits, name=PredictionKey.PROBABILITIES
            ),
            PredictionKey.CLASSES: tf.argmax(two_class_logits, 1, name=PredictionKey.CLASSES),
        }

    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        logistic = predictions[PredictionKey.LOGISTIC]
        classes = predictions[PredictionKey.CLASSES]
        metrics = {
            MetricKey.ACCURACY: tf1.metrics.accuracy(labels, classes, weights),
            MetricKey.PREDICTION_MEAN: parts.mean(logistic, weights),
            MetricKey.LABEL_MEAN: parts.mean(labels, weights),
            MetricKey.ACCURACY_BASELINE: parts.mean(labels, weights),
            MetricKey.AUC: parts.auc(logistic, labels, weights),
            MetricKey.AUC_PR: parts.auc(logistic, labels, weights, curve="PR"),
        }
        for threshold in self._thresholds:
            for key, kind in (
                (MetricKey.ACCURACY_MEAN, "accuracy"),
                (MetricKey.PRECISION_MEAN, "precision"),
                (MetricKey.RECALL_MEAN, "recall"),
            ):
                metrics[key % threshold] = parts.at_threshold(
                    kind, logistic, labels, weights, threshold
                )
        return metrics


class BinarySvmHead(SingleHead):
    """A head for two classes, with one logit and without probabilities."""

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        two_class_logits = tf.concat([tf.zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.CLASSES: tf.argmax(two_class_logits, 1, name=PredictionKey.CLASSES),
        }

    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        classes = predictions[PredictionKey.CLASSES]
        return {MetricKey.ACCURACY: tf1.metrics.accuracy(labels, classes, weights)}


class MultiClassHead(ClassHead):
    """A head for mutually exclusive classes: class ids, or names among `label_keys`."""

    def _labels(self, labels: Any) -> dict[str, tf.Tensor]:
        label_tensor = parts.dense_labels(labels, self._label_name)
        if not self._label_keys:
            return {"labels": label_tensor, "label_ids": label_tensor}
        table = contrib.lookup.index_table_from_tensor(self._label_keys, name="label_id_lookup")
        return {"labels": label_tensor, "label_ids": table.lookup(label_tensor)}

    def _loss(self, labels: Any, logits: tf.Tensor, weights: Any) -> parts.Losses:
        return self._loss_fn(labels["label_ids"], logits, weights)

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        classes = tf.argmax(logits, 1, name=PredictionKey.CLASSES)
        if self._label_keys:
            table = contrib.lookup.index_to_string_table_from_tensor(
                self._label_keys, name="class_string_lookup"
            )
            classes = table.lookup(classes)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: tf.nn.softmax(logits, name=PredictionKey.PROBABILITIES),
            PredictionKey.CLASSES: classes,
        }

    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        classes = predictions[PredictionKey.CLASSES]
        metrics = {MetricKey.ACCURACY: tf1.metrics.accuracy(labels["labels"], classes, weights)}
        for i in () if self._label_keys else self._metric_class_ids:
            metrics[MetricKey.CLASS_PREDICTION_MEAN % i] = parts.share(classes, i, weights)
            metrics[MetricKey.CLASS_LABEL_MEAN % i] = parts.share(labels["label_ids"], i, weights)
            metrics[MetricKey.CLASS_PROBABILITY_MEAN % i] = parts.mean(
                predictions[PredictionKey.PROBABILITIES], weights, i
            )
            metrics[MetricKey.CLASS_LOGITS_MEAN % i] = parts.mean(
                predictions[PredictionKey.LOGITS], weights, i
            )
        return metrics


class MultiLabelHead(ClassHead):
    """A head for classes of which an example may have any number."""

    def _labels(self, labels: Any) -> tf.Tensor:
        labels = parts.labels_of(labels, self._label_name)
        if not isinstance(labels, tf.SparseTensor):
            return labels
        return tf.cast(tf1.sparse_to_indicator(labels, self._logits_dimension), tf.int64)

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: tf.sigmoid(logits, name=PredictionKey.PROBABILITIES),
            PredictionKey.CLASSES: tf.cast(logits > 0, tf.int64, name=PredictionKey.CLASSES),
        }

    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        classes = predictions[PredictionKey.CLASSES]
        probabilities = predictions[PredictionKey.PROBABILITIES]
        logits = predictions[PredictionKey.LOGITS]
        metrics = {
            MetricKey.ACCURACY: tf1.metrics.accuracy(labels, classes, weights),
            MetricKey.AUC: parts.auc(probabilities, labels, weights),
            MetricKey.AUC_PR: parts.auc(probabilities, labels, weights, curve="PR"),
        }
        for i in self._metric_class_ids:
            metrics[MetricKey.CLASS_PREDICTION_MEAN % i] = parts.mean(classes, weights, i)
            metrics[MetricKey.CLASS_LABEL_MEAN % i] = parts.mean(labels, weights, i)
            metrics[MetricKey.CLASS_PROBABILITY_MEAN % i] = parts.mean(probabilities, weights, i)
            metrics[MetricKey.CLASS_LOGITS_MEAN % i] = parts.mean(logits, weights, i)
            metrics[MetricKey.CLASS_AUC % i] = parts.auc(probabilities, labels, weights, i)
            metrics[MetricKey.CLASS_AUC_PR % i] = parts.auc(
                probabilities, labels, weights, i, curve="PR"
            )
        return metrics
