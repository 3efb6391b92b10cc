"""Functions that create the heads of contrib.learn, for one kind of labels each.

head = multi_class_head(n_classes=3)
ops = head.create_model_fn_ops(features, mode, labels, train_op_fn, logits=logits)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import ProblemType
from legacy.contrib.learn.heads import labels_and_losses as parts
from legacy.contrib.learn.heads.base import Head
from legacy.contrib.learn.heads.kinds import (
    BinaryLogisticHead,
    BinarySvmHead,
    MultiClassHead,
    MultiLabelHead,
    RegressionHead,
)
from legacy.estimator import arguments


def regression_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    link_fn: Callable[[Any], Any] | None = None,
) -> Head:
    """Returns a head for regression with squared loss.

    Args:
      label_name: Name of the labels, if labels are a dict.
      weight_column_name: Name of the feature with the weights.
      label_dimension: Number of values in an example's label.
      enable_centered_bias: If true, trains a bias separately from the model.
      head_name: Name of the head.
      link_fn: Function from logits to predictions. None is the identity.
    """
    return RegressionHead(
        link_fn or tf.identity,
        logits_dimension=label_dimension,
        default_scope="regression_head",
        loss_fn=parts.squared_loss,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def poisson_regression_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
) -> Head:
    """Returns a head for regression of counts. Its logits are logarithms of the rate.

    Args:
      label_name: As in `regression_head`.
      weight_column_name: As in `regression_head`.
      label_dimension: As in `regression_head`.
      enable_centered_bias: As in `regression_head`.
      head_name: As in `regression_head`.
    """
    return RegressionHead(
        tf.exp,
        logits_dimension=label_dimension,
        default_scope="regression_head",
        loss_fn=parts.poisson_loss,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def multi_class_head(
    n_classes: int,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Sequence[float] | None = None,
    metric_class_ids: Sequence[int] | None = None,
    loss_fn: Callable[..., tf.Tensor] | None = None,
    label_keys: Sequence[str] | None = None,
) -> Head:
    """Returns a head for classification.

    Args:
      n_classes: Number of classes. Two classes have one logit.
      label_name: As in `regression_head`.
      weight_column_name: As in `regression_head`.
      enable_centered_bias: As in `regression_head`.
      head_name: As in `regression_head`.
      thresholds: Thresholds of accuracy, precision and recall, for two classes.
      metric_class_ids: Classes with separate metrics, for more than two classes.
      loss_fn: Function from `labels`, `logits` and `weights` to a scalar, instead of the log loss.
      label_keys: Names of the classes if labels are strings, for more than two classes.

    Raises:
      ValueError: An argument does not match the number of classes.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    common = {
        "thresholds": thresholds,
        "label_name": label_name,
        "weight_column_name": weight_column_name,
        "enable_centered_bias": enable_centered_bias,
        "head_name": head_name,
    }
    if n_classes > 2:
        return MultiClassHead(
            ProblemType.CLASSIFICATION,
            logits_dimension=n_classes,
            default_scope="multi_class_head",
            loss_fn=_custom(loss_fn) or parts.softmax_loss,
            metric_class_ids=metric_class_ids,
            label_keys=label_keys,
            **common,
        )
    for name, value in (("metric_class_ids", metric_class_ids), ("label_keys", label_keys)):
        if value:
            raise ValueError(f"{name} invalid for n_classes==2.")
    return BinaryLogisticHead(
        ProblemType.LOGISTIC_REGRESSION,
        logits_dimension=1,
        default_scope="binary_logistic_head",
        loss_fn=_custom(loss_fn) or parts.logistic_loss,
        **common,
    )


def binary_svm_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Sequence[float] | None = None,
) -> Head:
    """Returns a head of a support vector machine for two classes, with hinge loss.

    Args:
      label_name: As in `regression_head`.
      weight_column_name: As in `regression_head`.
      enable_centered_bias: As in `regression_head`.
      head_name: As in `regression_head`.
      thresholds: Not used.
    """
    del thresholds
    return BinarySvmHead(
        ProblemType.LOGISTIC_REGRESSION,
        logits_dimension=1,
        default_scope="binary_svm_head",
        loss_fn=parts.hinge_loss,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def multi_label_head(
    n_classes: int,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Sequence[float] | None = None,
    metric_class_ids: Sequence[int] | None = None,
    loss_fn: Callable[..., tf.Tensor] | None = None,
) -> Head:
    """Returns a head for classes that are not mutually exclusive.

    Args:
      n_classes: Number of classes.
      label_name: As in `regression_head`. The labels are indicators or a SparseTensor of ids.
      weight_column_name: As in `regression_head`.
      enable_centered_bias: As in `regression_head`.
      head_name: As in `regression_head`.
      thresholds: Not used.
      metric_class_ids: As in `multi_class_head`.
      loss_fn: As in `multi_class_head`.

    Raises:
      ValueError: `n_classes` is less than 2.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    return MultiLabelHead(
        ProblemType.CLASSIFICATION,
        thresholds=thresholds,
        metric_class_ids=metric_class_ids,
        logits_dimension=n_classes,
        default_scope="multi_label_head",
        loss_fn=_custom(loss_fn) or parts.logistic_loss,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def no_op_train_fn(loss: tf.Tensor) -> tf.Operation:
    """Returns an operation that trains nothing.

    Args:
      loss: Not used.
    """
    del loss
    return tf.no_op()


def _custom(loss_fn: Callable[..., Any] | None) -> Callable[..., parts.Losses] | None:
    """Wraps a user's loss function, so that it returns its loss as both losses."""
    if loss_fn is None:
        return None
    for name in ("labels", "logits", "weights"):
        if name not in arguments.names(loss_fn):
            raise ValueError(f"Argument {name} not found in loss_fn.")

    @functools.wraps(loss_fn)
    def losses(labels: Any, logits: tf.Tensor, weights: Any = None) -> parts.Losses:
        loss = loss_fn(labels, logits) if weights is None else loss_fn(labels, logits, weights)
        return loss, loss

    return losses
