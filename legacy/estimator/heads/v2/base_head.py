"""The Head interface: turns logits into a loss, metrics, predictions and a train op.

>>> import tensorflow as tf
>>> from legacy.estimator import heads
>>> head = heads.RegressionHead()
>>> logits, labels = tf.constant([[45.0], [41.0]]), tf.constant([[43.0], [44.0]])
>>> float(head.loss(labels, logits, features={}))
6.5

This module also holds the functions that all heads share, under the names of the original's private
module.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.arguments import (
    check_prediction_keys,
    validate_loss_fn_args,
    validate_loss_reduction,
    validate_n_classes,
    validate_trainable_variables,
    validate_update_ops,
    validate_v2_optimizer,
)
from legacy.estimator.heads.checks import (
    call_loss_fn,
    check_dense_labels_match_logits_and_reshape,
    check_label_range,
    check_logits_final_dim,
)
from legacy.estimator.heads.classes import all_class_ids, all_classes, classification_output
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.objectives import (
    CLASSIFY_SERVING_KEY,
    DEFAULT_SERVING_KEY,
    PREDICT_SERVING_KEY,
    REGRESS_SERVING_KEY,
)
from legacy.estimator.heads.weights import broadcast_weights, get_weights_and_check_match_logits
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.SPEC | argument_texts.V2

__all__ = [
    "CLASSIFY_SERVING_KEY",
    "DEFAULT_SERVING_KEY",
    "PREDICT_SERVING_KEY",
    "REGRESS_SERVING_KEY",
    "Head",
    "all_class_ids",
    "all_classes",
    "call_loss_fn",
    "check_dense_labels_match_logits_and_reshape",
    "check_label_range",
    "check_logits_final_dim",
    "check_prediction_keys",
    "classification_output",
    "create_estimator_spec_summary",
    "create_estimator_spec_train_op",
    "get_weights_and_check_match_logits",
    "regularized",
    "summed",
    "update_metric_with_broadcast_weights",
    "validate_loss_fn_args",
    "validate_loss_reduction",
    "validate_n_classes",
    "validate_trainable_variables",
    "validate_update_ops",
    "validate_v2_optimizer",
    "weighted_loss",
]


class Head(abc.ABC):
    """Interface of the heads, the last part of a model_fn.

    A subclass defines all abstract methods and `create_estimator_spec`.
    """

    @property
    @abc.abstractmethod
    def name(self) -> str | None:
        """Name of the head, appended to the names of its metrics and summaries, or None."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """Size of the last dimension of the logits."""

    @property
    @abc.abstractmethod
    def loss_reduction(self) -> str:
        """Reduction of the loss over the batch, one of `tf.losses.Reduction`."""

    @abc.abstractmethod
    @documented(argument_texts.SHARED)
    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> tf.Tensor:
        """Returns the loss of training and evaluation.

        {args}

        Returns:
          A scalar tensor.
        """

    @abc.abstractmethod
    @documented(argument_texts.SHARED, keys="Names of the requested predictions. Defaults to all.")
    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[Any, tf.Tensor]:
        """Returns predictions by name.

        {args}
        """

    @abc.abstractmethod
    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates metrics by name.

        Args:
          regularization_losses: If not None, the dict includes a metric of the regularization loss.
        """

    @abc.abstractmethod
    @documented(
        argument_texts.SHARED,
        eval_metrics="Metrics by name, from `metrics`.",
        mode="One of `ModeKeys`. The heads of this package do not have this argument.",
        regularization_losses="Scalar tensors, with the same meaning as in `metrics`.",
    )
    def update_metrics(
        self,
        eval_metrics: dict[str, tf_keras.metrics.Metric],
        features: Any,
        logits: Any,
        labels: Any,
        mode: str | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Updates metrics with a batch.

        {args}

        Returns:
          The metrics by name.
        """

    @documented(_TEXTS)
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
        """Returns the EstimatorSpec for the mode.

        {args}

        Returns:
          An EstimatorSpec.

        Raises:
          ValueError: If in mode TRAIN both or neither of `optimizer` and `train_op_fn` are passed,
            or if labels are missing.
          NotImplementedError: If the class of the head does not define this method.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features=features,
                mode=mode,
                logits=logits,
                labels=labels,
                optimizer=optimizer,
                trainable_variables=trainable_variables,
                train_op_fn=train_op_fn,
                update_ops=update_ops,
                regularization_losses=regularization_losses,
            )
        except NotImplementedError as error:
            raise NotImplementedError(
                "Subclasses of Head must implement `create_estimator_spec()` or "
                f"_create_tpu_estimator_spec(). {type(self).__name__} has neither."
            ) from error
        return spec.as_estimator_spec()

    def _create_tpu_estimator_spec(self, **kwargs: Any) -> Any:
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")

    def _summary_key(self, key: str) -> str:
        return f"{key}/{self.name}" if self.name else key


def weighted_loss(losses: tf.Tensor, weights: Any, reduction: str) -> tf.Tensor:
    """Multiplies losses by weights and reduces them to a scalar.

    Args:
      losses: A float tensor.
      weights: A tensor that can be broadcast to the losses, or a number.
      reduction: A reduction of the v2 API. "sum" adds up the losses, any other takes the mean over
        all elements.

    Returns:
      A scalar tensor.
    """
    kinds = tf1.losses.Reduction
    kind = kinds.SUM if reduction == "sum" else kinds.SUM_OVER_BATCH_SIZE
    # Multiply here: compute_weighted_loss rejects weights whose static shape is not known to fit.
    weighted = losses * tf.cast(weights, losses.dtype)
    # Use the v1 function: under a distribution strategy, v1 optimizers scale the loss according to
    # the reduction of its last call.
    return tf1.losses.compute_weighted_loss(weighted, loss_collection=None, reduction=kind)


def summed(losses: Sequence[tf.Tensor] | None) -> tf.Tensor | None:
    """Returns the sum of the regularization losses, or None if the argument is None."""
    return None if losses is None else tf.add_n(losses)


def regularized(loss: tf.Tensor, regularization_losses: Sequence[tf.Tensor] | None) -> tf.Tensor:
    """Returns the sum of a loss and the regularization losses."""
    regularization_loss = summed(regularization_losses)
    return loss if regularization_loss is None else loss + regularization_loss


def update_metric_with_broadcast_weights(eval_metric: Any, values: Any, weights: Any) -> None:
    """Updates a mean whose weights have fewer elements than its values.

    Args:
      eval_metric: A Keras metric.
      values: A numeric tensor.
      weights: A tensor that can be broadcast to the values, a number, or None.
    """
    values = tf.cast(values, tf.float32)
    eval_metric.update_state(values, sample_weight=broadcast_weights(weights, values))


def create_estimator_spec_train_op(
    head_name: str | None,
    optimizer: Any = None,
    trainable_variables: Sequence[Any] | None = None,
    train_op_fn: Callable[[tf.Tensor], Any] | None = None,
    update_ops: Sequence[Any] | None = None,
    regularized_training_loss: tf.Tensor | None = None,
    loss_reduction: str = "sum_over_batch_size",
) -> Any:
    """Creates the train op. See `Head.create_estimator_spec`.

    Args:
      head_name: Not used. The original had this argument.
      optimizer: A legacy Keras optimizer.
      trainable_variables: Variables that the optimizer trains.
      train_op_fn: Function that creates the train op from the loss, instead of an optimizer.
      update_ops: Operations that run with the train op.
      regularized_training_loss: The loss, including regularization losses.
      loss_reduction: Reduction of the loss. If it is a mean, the loss is divided by the number of
        replicas, so that the sum of their gradients is the gradient of the global mean.

    Returns:
      A tensor or operation.

    Raises:
      ValueError: If an argument is missing, superfluous or invalid.
    """
    del head_name
    validate_update_ops(update_ops)
    # From the root scope: the variables of an optimizer must not be named after the head's scope.
    with tf1.name_scope(""), tf1.name_scope("training"):
        if optimizer is not None:
            if train_op_fn is not None:
                raise ValueError("train_op_fn and optimizer cannot both be set.")
            validate_v2_optimizer(optimizer)
            validate_trainable_variables(trainable_variables)
            replicas = tf.distribute.get_strategy().num_replicas_in_sync
            if loss_reduction == "sum_over_batch_size" and replicas > 1:
                regularized_training_loss *= 1.0 / replicas
            train_op = optimizer.get_updates(regularized_training_loss, trainable_variables)[0]
        elif train_op_fn is not None:
            train_op = train_op_fn(regularized_training_loss)
        else:
            raise ValueError(
                "train_op_fn and optimizer cannot both be None: in mode TRAIN the head needs one."
            )
        return train_op if update_ops is None else tf.group(train_op, *update_ops)


def create_estimator_spec_summary(
    regularized_training_loss: tf.Tensor,
    regularization_losses: Sequence[tf.Tensor] | None = None,
    summary_key_fn: Callable[[str], str] | None = None,
) -> None:
    """Adds the summaries of a training step.

    Args:
      regularized_training_loss: The loss, including regularization losses.
      regularization_losses: Regularization losses that are part of the loss, or None.
      summary_key_fn: Function from the name of a metric to the tag of its summary.
    """
    tag = summary_key_fn or str
    with tf1.name_scope(""):
        tf1.summary.scalar(tag(MetricKeys.LOSS), regularized_training_loss)
        if regularization_losses is not None:
            tf1.summary.scalar(tag(MetricKeys.LOSS_REGULARIZATION), summed(regularization_losses))
