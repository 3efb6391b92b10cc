"""Heads of the v1 API, for tf.contrib.estimator and the v1 canned estimators.

>>> from legacy.estimator.heads import v1
>>> v1.multi_class_head(n_classes=3).logits_dimension
3

The loss of the heads that these functions return is by default the mean over the batch. The default
of the heads' classes is the sum. The private names of the classes are in
`legacy.estimator.heads.v1.canned_head`.

Files in reading order:
base_head     defines Head and LossSpec, and builds train ops
single        implements the parts that heads with one kind of label share
regression    predicts numbers
binary_class  predicts one of two classes
multi_class   predicts one of three or more classes
multi_label   predicts any number of classes for each example
multi         combines several heads
metrics       computes metrics as pairs of a value and an update op
canned_head   lists the private names of the original's `canned.head`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
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


@documented(argument_texts.MULTI_CLASS | argument_texts.V1)
def multi_class_head(
    n_classes: int,
    weight_column: Any = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a MultiClassHead, for one label out of three or more classes.

    {args}
    """
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


@documented(argument_texts.BINARY_CLASS | argument_texts.V1)
def binary_classification_head(
    weight_column: Any = None,
    thresholds: Iterable[float] | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a BinaryClassHead, for one label out of two classes.

    {args}
    """
    return BinaryClassHead(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    )


@documented(argument_texts.REGRESSION | argument_texts.V1)
def regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    inverse_link_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a RegressionHead.

    {args}
    """
    return RegressionHead(
        weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name
    )


@documented(argument_texts.REGRESSION | argument_texts.V1)
def poisson_regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    compute_full_loss: bool = True,
    name: str | None = None,
) -> Head:
    """Returns the head of a Poisson regression. Its logits are the logarithms of the means.

    {args}
    """

    def poisson_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf.nn.log_poisson_loss(labels, logits, compute_full_loss)

    return RegressionHead(
        weight_column, label_dimension, loss_reduction, poisson_loss, tf.exp, name
    )


@documented(argument_texts.REGRESSION | argument_texts.V1)
def logistic_regression_head(
    weight_column: Any = None,
    loss_reduction: str = _Reduction.SUM_OVER_BATCH_SIZE,
    name: str | None = None,
) -> Head:
    """Returns the head of a logistic regression. Labels are in [0, 1], logits are log-odds.

    {args}
    """

    def logistic_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        labels = assert_range(labels, 2, "Labels must be in range [0, 1]")
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return RegressionHead(weight_column, 1, loss_reduction, logistic_loss, tf.sigmoid, name)


@documented(argument_texts.MULTI_LABEL | argument_texts.V1)
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
    """Returns a MultiLabelHead, for any number of labels out of several classes.

    {args}
    """
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


@documented(argument_texts.MULTI | argument_texts.V1)
def multi_head(heads: Sequence[Head], head_weights: Sequence[float] | None = None) -> Head:
    """Returns a MultiHead, which combines several heads.

    {args}
    """
    return MultiHead(heads, head_weights)


@documented(argument_texts.SHARED | argument_texts.V1)
def binary_logistic_or_multi_class_head(
    n_classes: int,
    weight_column: Any,
    label_vocabulary: Sequence[str] | None,
    loss_reduction: str,
    loss_fn: Callable[..., Any] | None = None,
) -> Head:
    """Returns the head of a canned classifier.

    {args}

    Returns:
      A BinaryClassHead for two classes, a MultiClassHead for more.

    Raises:
      ValueError: If an argument is invalid.
      TypeError: If the head has two classes and the vocabulary is not a list or tuple.
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
