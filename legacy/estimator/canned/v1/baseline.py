"""Models that look at no feature, in the v1 API: what a real model has to beat.

    from legacy.compat.v1 import estimator

    regressor = estimator.BaselineRegressor(optimizer="SGD")
    regressor.train(input_fn, steps=100)

They learn one bias per logit, so they predict how frequent the classes are, or the mean label. The
one variable is baseline/bias.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.canned import optimizers
from legacy.estimator.canned.v2.baseline import LEARNING_RATE, baseline_logits
from legacy.estimator.estimator import Estimator
from legacy.estimator.heads import v1 as heads
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_SUM = tf1.losses.Reduction.SUM


def baseline_logit_fn_builder(
    num_outputs: int, weight_column: Any = None
) -> Callable[[Mapping[str, Any]], tf.Tensor]:
    """Returns a function that builds a baseline, for a model function of one's own.

    Args:
      num_outputs: How many logits there are.
      weight_column: The feature, by name or as a numeric column, that is not asked for the batch's
        size.

    Returns:
      A function of `features`, which returns logits of shape [batch_size, num_outputs].
    """

    def baseline_logit_fn(features: Mapping[str, Any]) -> tf.Tensor:
        with tf1.variable_scope("baseline"):
            zeros = tf1.zeros_initializer()
            bias = tf1.get_variable("bias", [num_outputs], initializer=zeros)
            return baseline_logits(bias, features, weight_column)

    return baseline_logit_fn


def baseline_model_fn(
    features: Mapping[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    optimizer: Any,
    weight_column: Any = None,
    config: RunConfig | None = None,
) -> EstimatorSpec:
    """The model function of the classes below.

    Args:
      features: By name, tensors with the batch as their first dimension.
      labels: What the head takes; None to predict.
      mode: One of `ModeKeys`.
      head: A head, as `tf.contrib.estimator` made them, or a `Head`.
      optimizer: See `optimizers.get_optimizer_instance`; by name with a learning rate of 0.3.
      weight_column: The feature that weighs examples, by name or as a numeric column.
      config: Not looked at.

    Returns:
      The head's `EstimatorSpec`.

    Raises:
      ValueError: An argument is wrong.
      TypeError: The weight column is neither a name nor a column.
    """
    del config
    logits = baseline_logit_fn_builder(head.logits_dimension, weight_column)(features)

    def train_op_fn(loss: tf.Tensor) -> Any:
        chosen = optimizers.get_optimizer_instance(optimizer, LEARNING_RATE)
        return chosen.minimize(loss, global_step=tf1.train.get_global_step())

    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
    )


class BaselineEstimator(Estimator):
    """A baseline with a head of one's own.

    Args:
      head: A head, as `tf.contrib.estimator` made them, or a `Head`.
      model_dir: Where checkpoints and event files go.
      optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD" with a learning rate of 0.3; a
        `tf.compat.v1.train.Optimizer`; or a callable that makes one.
      config: A `RunConfig`.

    Raises:
      ValueError: An argument is wrong.
    """

    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
    ) -> None:
        model_fn = functools.partial(
            baseline_model_fn, head=head, optimizer=optimizer, weight_column=None
        )
        super().__init__(model_fn, model_dir, config)


class BaselineClassifier(Estimator):
    """A baseline that predicts how frequent the classes are.

    Args:
      model_dir: Where checkpoints and event files go.
      n_classes: How many classes there are; labels are ints below it.
      weight_column: The feature that weighs examples, by name or as a numeric column.
      label_vocabulary: The classes' names in order, where labels are strings.
      optimizer: As in `BaselineEstimator`.
      config: A `RunConfig`.
      loss_reduction: A `tf.compat.v1.losses.Reduction` but NONE; here the sum by default.

    Raises:
      ValueError: An argument is wrong.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        loss_reduction: str = _SUM,
    ) -> None:
        model_fn = functools.partial(
            baseline_model_fn,
            head=heads.binary_logistic_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            optimizer=optimizer,
            weight_column=weight_column,
        )
        super().__init__(model_fn, model_dir, config)


class BaselineRegressor(Estimator):
    """A baseline that predicts the mean label.

    Args:
      model_dir: Where checkpoints and event files go.
      label_dimension: How many numbers a label has: labels are of shape [batch_size, it].
      weight_column: The feature that weighs examples, by name or as a numeric column.
      optimizer: As in `BaselineEstimator`.
      config: A `RunConfig`.
      loss_reduction: A `tf.compat.v1.losses.Reduction` but NONE; here the sum by default.

    Raises:
      ValueError: An argument is wrong.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        loss_reduction: str = _SUM,
    ) -> None:
        head = heads.RegressionHead(
            label_dimension=label_dimension,
            weight_column=weight_column,
            loss_reduction=loss_reduction,
        )
        model_fn = functools.partial(
            baseline_model_fn, head=head, optimizer=optimizer, weight_column=None
        )
        super().__init__(model_fn, model_dir, config)
