"""MultiClassHead, for one label out of three or more classes.

>>> import tensorflow as tf
>>> head = MultiClassHead(n_classes=3)
>>> logits = tf.constant([[10.0, 0.0, 0.0], [0.0, 10.0, 0.0]])
>>> round(float(head.loss(tf.constant([[1], [1]]), logits, features={})), 2)
5.0
>>> head.predictions(logits, ["class_ids"])["class_ids"].numpy().tolist()
[[0], [1]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts, objectives
from legacy.estimator.heads.arguments import check_list
from legacy.estimator.heads.classes import class_predictions
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v2 import base_head
from legacy.estimator.heads.v2.single import SingleHead

tf1 = tf.compat.v1

_TEXTS = argument_texts.MULTI_CLASS | argument_texts.V2

KEYS = (PredictionKeys.LOGITS, *objectives.CLASS_KEYS)


@documented(_TEXTS)
class MultiClassHead(objectives.MultiClass, SingleHead):
    """Predicts one of several classes. The loss is the softmax cross entropy.

    Labels are [D0, ..., DN, 1] or [D0, ..., DN]: indices of classes, or names from the vocabulary.

    {args}

    Raises:
      ValueError: If an argument is invalid.
    """

    def __init__(
        self,
        n_classes: int,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = "sum_over_batch_size",
        loss_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        check_list(label_vocabulary, "label_vocabulary")
        base_head.validate_n_classes(n_classes)
        if label_vocabulary is not None and len(label_vocabulary) != n_classes:
            raise ValueError(
                '"label_vocabulary" does not have "n_classes" items. '
                f"len(label_vocabulary)={len(label_vocabulary)}, n_classes={n_classes}, "
                f"label_vocabulary={label_vocabulary}"
            )
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._set_classes(n_classes, label_vocabulary)

    @documented(_TEXTS)
    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[str, tf.Tensor]:
        """Returns predictions by name.

        {args}

        Returns:
          logits and probabilities (float32, in the shape of the logits), class_ids (int64) and
          classes (string) [D0, ..., DN, 1], all_class_ids (int32) and all_classes (string)
          [D0, n_classes].

        Raises:
          ValueError: If a key is not in `KEYS`, or if the shape of the logits is wrong.
        """
        if keys:
            base_head.check_prediction_keys(keys, KEYS)
        keys = keys or KEYS
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        with tf1.name_scope(None, "predictions", (logits,)):
            predictions = {PredictionKeys.LOGITS: logits} if PredictionKeys.LOGITS in keys else {}
            predictions.update(class_predictions(logits, self._n_classes, self._vocabulary, keys))
        return predictions

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates the metrics of loss and accuracy. See the base class."""
        with tf1.name_scope(None, "metrics", (regularization_losses,)):
            loss, accuracy = MetricKeys.LOSS_MEAN, MetricKeys.ACCURACY
            eval_metrics = {self._summary_key(loss): tf_keras.metrics.Mean(name=loss)}
            self._add_regularization(eval_metrics, regularization_losses)
            eval_metrics[self._summary_key(accuracy)] = tf_keras.metrics.Accuracy(name=accuracy)
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
        class_ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        self._update_loss_metrics(eval_metrics, losses, weights, regularization_losses)
        eval_metrics[self._summary_key(MetricKeys.ACCURACY)].update_state(
            labels, class_ids, sample_weight=weights
        )
        return eval_metrics
