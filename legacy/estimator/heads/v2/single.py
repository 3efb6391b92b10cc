"""Base class of the heads with one kind of label.

A subclass converts labels, computes the loss and the predictions, updates metrics and builds the
export outputs. `legacy.estimator.heads.v2.regression` is the shortest example.

>>> from legacy.estimator import heads
>>> issubclass(heads.RegressionHead, SingleHead)
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.objectives import Objective
from legacy.estimator.heads.v2 import base_head
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1


@documented(argument_texts.SHARED | argument_texts.V2, loss_dimension="loss_dimension")
class SingleHead(Objective, base_head.Head):
    """Base class of the heads with one tensor of logits.

    {args}

    Raises:
      ValueError: If the arguments of the loss function or the reduction are invalid.
    """

    def _check(self, loss_reduction: str, loss_fn: Callable[..., Any] | None) -> None:
        base_head.validate_loss_reduction(loss_reduction)
        if loss_fn:
            base_head.validate_loss_fn_args(loss_fn)

    @property
    def loss_reduction(self) -> str:
        """Reduction of the loss. See the base class."""
        return self._loss_reduction

    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> tf.Tensor:
        """Returns the loss of training and evaluation. See the base class."""
        del mode
        with tf1.name_scope(None, "losses", (logits, labels, regularization_losses, features)):
            logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
            labels = self._processed_labels(logits, labels)
            losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
            loss = base_head.weighted_loss(losses, weights, self._loss_reduction)
            return base_head.regularized(loss, regularization_losses)

    def _add_regularization(
        self, metrics: dict[str, Any], losses: Sequence[tf.Tensor] | None
    ) -> None:
        if losses is not None:
            name = MetricKeys.LOSS_REGULARIZATION
            metrics[self._summary_key(name)] = tf_keras.metrics.Mean(name=name)

    def _update_loss_metrics(
        self,
        metrics: Mapping[str, Any],
        losses: tf.Tensor,
        weights: Any,
        regularization_losses: Sequence[tf.Tensor] | None,
    ) -> None:
        metrics[self._summary_key(MetricKeys.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        if regularization_losses is not None:
            metrics[self._summary_key(MetricKeys.LOSS_REGULARIZATION)].update_state(
                base_head.summed(regularization_losses)
            )

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Sequence[Any] | None = None,
        train_op_fn: Callable[[tf.Tensor], Any] | None = None,
        update_ops: Sequence[Any] | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec for the mode. See the base class."""
        with tf1.name_scope(self._name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                outputs = self._export_outputs(predictions)
                return EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
            loss = self.loss(
                labels=labels,
                logits=logits,
                features=features,
                mode=mode,
                regularization_losses=regularization_losses,
            )
            if mode == ModeKeys.EVAL:
                metrics = self.update_metrics(
                    eval_metrics=self.metrics(regularization_losses=regularization_losses),
                    features=features,
                    logits=logits,
                    labels=labels,
                    regularization_losses=regularization_losses,
                )
                return EstimatorSpec(
                    mode, predictions=predictions, loss=loss, eval_metric_ops=metrics
                )
            train_op = base_head.create_estimator_spec_train_op(
                self._name,
                optimizer,
                trainable_variables,
                train_op_fn,
                update_ops,
                loss,
                self._loss_reduction,
            )
        base_head.create_estimator_spec_summary(loss, regularization_losses, self._summary_key)
        # As in the original, any other mode is treated as training.
        return EstimatorSpec(ModeKeys.TRAIN, predictions=predictions, loss=loss, train_op=train_op)
