"""Baselines that ignore the features, in the v1 API. A real model must do better.

    from legacy.compat.v1 import estimator

    regressor = estimator.BaselineRegressor(optimizer="SGD")
    regressor.train(input_fn, steps=100)

A baseline learns one bias per logit, so it predicts the class frequencies or the mean label. Its
only variable is baseline/bias.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.canned import argument_texts, optimizers
from legacy.estimator.canned.v2.baseline import LEARNING_RATE, baseline_logits
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import Estimator
from legacy.estimator.heads import v1 as heads
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.BASELINE | argument_texts.V1

_SUM = tf1.losses.Reduction.SUM


@documented(argument_texts.BASELINE_LOGITS)
def baseline_logit_fn_builder(
    num_outputs: int, weight_column: Any = None
) -> Callable[[Mapping[str, Any]], tf.Tensor]:
    """Returns a function that computes the logits of a baseline, for a custom model_fn.

    {args}

    Returns:
      A function of `features` that returns logits of shape [batch_size, num_outputs].
    """

    def baseline_logit_fn(features: Mapping[str, Any]) -> tf.Tensor:
        with tf1.variable_scope("baseline"):
            zeros = tf1.zeros_initializer()
            bias = tf1.get_variable("bias", [num_outputs], initializer=zeros)
            return baseline_logits(bias, features, weight_column)

    return baseline_logit_fn


@documented(_TEXTS, config="Not used.")
def baseline_model_fn(
    features: Mapping[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    optimizer: Any,
    weight_column: Any = None,
    config: RunConfig | None = None,
) -> EstimatorSpec:
    """Builds the EstimatorSpec for the estimators in this module.

    {args}

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If an argument is invalid.
      TypeError: If the weight column is neither a name nor a column.
    """
    del config
    logits = baseline_logit_fn_builder(head.logits_dimension, weight_column)(features)

    def train_op_fn(loss: tf.Tensor) -> Any:
        train_optimizer = optimizers.get_optimizer_instance(optimizer, LEARNING_RATE)
        return train_optimizer.minimize(loss, global_step=tf1.train.get_global_step())

    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
    )


@documented(_TEXTS)
class BaselineEstimator(Estimator):
    """A baseline with a custom head.

    {args}

    Raises:
      ValueError: If an argument is invalid.
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


@documented(_TEXTS)
class BaselineClassifier(Estimator):
    """A baseline that predicts the class frequencies.

    {args}

    Raises:
      ValueError: If an argument is invalid.
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


@documented(_TEXTS)
class BaselineRegressor(Estimator):
    """A baseline that predicts the mean label.

    {args}

    Raises:
      ValueError: If an argument is invalid.
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
