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
    """Returns a function that computes the logits of a baseline, for a custom model_fn.

    Args:
      num_outputs: Number of logits.
      weight_column: Weight feature, as a name or a numeric column. It is not used to determine the
        batch size.

    Returns:
      A function of `features` that returns logits of shape [batch_size, num_outputs].
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
    """Builds the EstimatorSpec for the estimators in this module.

    Args:
      features: Dict of tensors by name. The first dimension is the batch.
      labels: Labels in the form that the head expects. None in mode PREDICT.
      mode: One of `ModeKeys`.
      head: A v1 head (tf.contrib.estimator) or a v2 `Head`.
      optimizer: See `optimizers.get_optimizer_instance`. For a name, the learning rate is 0.3.
      weight_column: Feature with the weights of examples, as a name or a numeric column.
      config: Not used.

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If an argument is invalid.
      TypeError: If the weight column is neither a name nor a column.
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
    """A baseline with a custom head.

    Args:
      head: A v1 head (tf.contrib.estimator) or a v2 `Head`.
      model_dir: Directory of checkpoints and event files.
      optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD" with a learning rate of 0.3. Or a
        `tf.compat.v1.train.Optimizer`, or a callable that returns one.
      config: A `RunConfig`.

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


class BaselineClassifier(Estimator):
    """A baseline that predicts the class frequencies.

    Args:
      model_dir: Directory of checkpoints and event files.
      n_classes: Number of classes. Integer labels are in [0, n_classes).
      weight_column: Feature with the weights of examples, as a name or a numeric column.
      label_vocabulary: Names of the classes in order, if labels are strings.
      optimizer: Optimizer. See `BaselineEstimator`.
      config: A `RunConfig`.
      loss_reduction: One of `tf.compat.v1.losses.Reduction` except NONE. Defaults to the sum.

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


class BaselineRegressor(Estimator):
    """A baseline that predicts the mean label.

    Args:
      model_dir: Directory of checkpoints and event files.
      label_dimension: Number of values per label. Labels are [batch_size, label_dimension].
      weight_column: Feature with the weights of examples, as a name or a numeric column.
      optimizer: Optimizer. See `BaselineEstimator`.
      config: A `RunConfig`.
      loss_reduction: One of `tf.compat.v1.losses.Reduction` except NONE. Defaults to the sum.

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
