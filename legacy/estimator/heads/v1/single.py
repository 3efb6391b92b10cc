"""Base class of the v1 heads with one kind of label.

A subclass converts labels, computes the loss, the predictions and the metrics, and builds the
export outputs. `legacy.estimator.heads.v1.regression` is the shortest example.

>>> from legacy.estimator.heads import v1
>>> isinstance(v1.regression_head(), SingleHead)
True
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.arguments import V1_LOSS_FN, validate_loss_fn_args
from legacy.estimator.heads.checks import check_logits_final_dim
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.objectives import Objective
from legacy.estimator.heads.v1.base_head import (
    Head,
    LossSpec,
    assert_range,
    make_train_op,
    summary_key,
)
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1


@documented(argument_texts.SHARED | argument_texts.V1, loss_dimension="loss_dimension")
class SingleHead(Objective, Head):
    """Base class of the heads with one tensor of logits.

    {args}

    Raises:
      ValueError: If the arguments of the loss function or the reduction are invalid.
    """

    _checked_range = staticmethod(assert_range)

    def _check(self, loss_reduction: str, loss_fn: Callable[..., Any] | None) -> None:
        kinds = tf1.losses.Reduction
        if loss_reduction == kinds.NONE and self._has_own_spec():
            pass  # A library's head reduces the loss itself, for example after clipping gradients.
        elif loss_reduction not in kinds.all() or loss_reduction == kinds.NONE:
            raise ValueError(
                f"Invalid loss_reduction: {loss_reduction}. It must be one of "
                f"{[kind for kind in kinds.all() if kind != kinds.NONE]}."
            )
        if loss_fn:
            validate_loss_fn_args(loss_fn, V1_LOSS_FN)

    @abc.abstractmethod
    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns the predictions by name."""

    @abc.abstractmethod
    def _metrics(
        self, predictions: Mapping[str, tf.Tensor], loss: LossSpec, labels: Any
    ) -> dict[str, Any]:
        """Returns the metrics by name, without the regularization loss."""

    def _summary_key(self, key: str) -> str:
        return summary_key(self._name, key)

    @classmethod
    def _has_own_spec(cls) -> bool:
        """Returns whether a library's subclass creates the spec, as the original's heads did."""
        return cls._create_tpu_estimator_spec is not Head._create_tpu_estimator_spec

    def _with_regularization(
        self, metrics: dict[str, Any], regularization_loss: Any
    ) -> dict[str, Any]:
        """Adds the mean of the regularization loss to the metrics, if the model has one."""
        if regularization_loss is not None:
            name = MetricKeys.LOSS_REGULARIZATION
            metrics[self._summary_key(name)] = tf1.metrics.mean(regularization_loss, name=name)
        return metrics

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        """Computes the loss. See the base class."""
        del mode
        logits = tf.convert_to_tensor(logits)
        labels = self._processed_labels(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        loss = tf1.losses.compute_weighted_loss(losses, weights, reduction=self._loss_reduction)
        return LossSpec(loss, losses, weights, labels)

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable[[tf.Tensor], Any] | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec for the mode. See the base class."""
        if self._has_own_spec():
            return super().create_estimator_spec(
                features, mode, logits, labels, optimizer, train_op_fn, regularization_losses
            )
        with tf1.name_scope(self._name, "head"):
            logits = self._check_logits(logits)
            predictions = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                outputs = self._export_outputs(predictions)
                return EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
            parts = self.create_loss(features=features, mode=mode, logits=logits, labels=labels)
            regularization_loss = tf.add_n(regularization_losses) if regularization_losses else None
            loss = parts.training_loss
            loss = loss if regularization_loss is None else tf.add_n([loss, regularization_loss])
            if mode == ModeKeys.EVAL:
                metrics = self._metrics(predictions, parts, labels)
                metrics = self._with_regularization(metrics, regularization_loss)
                return EstimatorSpec(
                    mode, predictions=predictions, loss=loss, eval_metric_ops=metrics
                )
            train_op = make_train_op(loss, optimizer, train_op_fn)
            # For example, the updates of the moving averages in batch normalization.
            update_ops = tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)
            train_op = tf.group(train_op, *update_ops) if update_ops else train_op
            mean_loss = self._mean_loss(parts)
        self._summarize(loss, mean_loss, regularization_loss)
        # As in the original, any other mode is treated as training.
        return EstimatorSpec(ModeKeys.TRAIN, predictions=predictions, loss=loss, train_op=train_op)

    def _check_logits(self, logits: Any) -> tf.Tensor:
        dimension = self.logits_dimension
        message = f"logits shape must be [D0, D1, ... DN, logits_dimension={dimension}]"
        return check_logits_final_dim(logits, dimension, message)

    def _mean_loss(self, parts: LossSpec) -> tf.Tensor | None:
        # With the other reductions, the loss is already a mean and has a summary.
        if self._loss_reduction != tf1.losses.Reduction.SUM:
            return None
        weights = tf.reduce_sum(parts.weights * tf.ones_like(parts.unreduced_loss))
        return parts.training_loss / weights

    def _summarize(self, loss: tf.Tensor, mean: Any, regularization: Any) -> None:
        # From the root scope, because a summary's tag includes the enclosing name scopes.
        with tf1.name_scope(""):
            for key, value in (
                (MetricKeys.LOSS, loss),
                (MetricKeys.LOSS_MEAN, mean),
                (MetricKeys.LOSS_REGULARIZATION, regularization),
            ):
                if value is not None:
                    tf1.summary.scalar(self._summary_key(key), value)
