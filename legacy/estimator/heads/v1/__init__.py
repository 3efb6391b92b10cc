"""Heads of the v1 API, as tf.contrib.estimator made them and v1 canned estimators use them.

>>> from legacy.estimator.heads import v1
>>> v1.multi_class_head(n_classes=3).logits_dimension
3

By default their loss is the mean over the batch. The heads' classes, whose default is the sum, are
under their private names in `legacy.estimator.heads.v1.canned_head`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.heads.v1.base_head import Head, LossSpec, assert_range
from legacy.estimator.heads.v1.binary_class import BinaryClassHead
from legacy.estimator.heads.v1.multi import MultiHead
from legacy.estimator.heads.v1.multi_class import MultiClassHead
from legacy.estimator.heads.v1.multi_label import MultiLabelHead
from legacy.estimator.heads.v1.regression import RegressionHead

_Reduction = tf.compat.v1.losses.Reduction

__all__ = [
    "Head",
    "LossSpec",
    "binary_classification_head",
    "binary_logistic_or_multi_class_head",
    "logistic_regression_head",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "poisson_regression_head",
    "regression_head",
]


def multi_class_head(
    n_classes: int,
    weight_column: Any = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns the head of one label out of three or more classes; see its class."""
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


def binary_classification_head(
    weight_column: Any = None,
    thresholds: Iterable[float] | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns the head of one label out of two classes; see its class."""
    return BinaryClassHead(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    )


def regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    inverse_link_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
    name: str | None = None,
) -> Head:
    """Returns the head of a regressor; see its class."""
    return RegressionHead(
        weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name
    )


def poisson_regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    compute_full_loss: bool = True,
    name: str | None = None,
) -> Head:
    """Returns the head of a Poisson regression: logits are the logarithms of the means.

    Args:
      weight_column: As of the regression head.
      label_dimension: As of the regression head.
      loss_reduction: As of the regression head.
      compute_full_loss: Whether the loss includes the constant log(label!).
      name: As of the regression head.
    """

    def poisson_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf.nn.log_poisson_loss(labels, logits, compute_full_loss)

    return RegressionHead(
        weight_column, label_dimension, loss_reduction, poisson_loss, tf.exp, name
    )


def logistic_regression_head(
    weight_column: Any = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    name: str | None = None,
) -> Head:
    """Returns the head of a logistic regression: labels in [0, 1], logits are log-odds.

    Args:
      weight_column: As of the regression head.
      loss_reduction: As of the regression head.
      name: As of the regression head.
    """

    def logistic_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        labels = assert_range(labels, 2, "Labels must be in range [0, 1]")
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return RegressionHead(weight_column, 1, loss_reduction, logistic_loss, tf.sigmoid, name)


def multi_label_head(
    n_classes: int,
    weight_column: Any = None,
    thresholds: Iterable[float] | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    classes_for_class_based_metrics: Sequence[int | str] | None = None,
    name: str | None = None,
) -> Head:
    """Returns the head of any number of labels out of several classes; see its class."""
    return MultiLabelHead(
        n_classes,
        weight_column,
        thresholds,
        label_vocabulary,
        loss_reduction,
        loss_fn,
        classes_for_class_based_metrics,
        name,
    )


def multi_head(heads: Sequence[Head], head_weights: Sequence[float] | None = None) -> Head:
    """Returns a head over several heads; see its class."""
    return MultiHead(heads, head_weights)


def binary_logistic_or_multi_class_head(
    n_classes: int,
    weight_column: Any,
    label_vocabulary: Sequence[str] | None,
    loss_reduction: str,
    loss_fn: Callable[..., Any] | None = None,
) -> Head:
    """Returns the head of a canned classifier.

    Args:
      n_classes: Two, or more.
      weight_column: As of the heads.
      label_vocabulary: As of the heads.
      loss_reduction: As of the heads.
      loss_fn: As of the heads.

    Returns:
      A head for two classes or for more.

    Raises:
      ValueError: An argument is wrong.
      TypeError: There are two classes, and the vocabulary is no list or tuple.
    """
    if n_classes == 2:
        return BinaryClassHead(
            weight_column=weight_column,
            label_vocabulary=label_vocabulary,
            loss_reduction=loss_reduction,
            loss_fn=loss_fn,
        )
    return MultiClassHead(
        n_classes,
        weight_column=weight_column,
        label_vocabulary=label_vocabulary,
        loss_reduction=loss_reduction,
        loss_fn=loss_fn,
    )
