"""Baselines that ignore the features, in the v2 API. A real model must do better.

    from legacy import estimator

    classifier = estimator.BaselineClassifier(n_classes=3)
    classifier.train(input_fn, steps=100)
    classifier.evaluate(input_fn, steps=10)["loss"]

A baseline learns one bias per logit, so it predicts the class frequencies or the mean label. Its
only variable is baseline/bias.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import argument_texts, feature_columns, optimizers
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.BASELINE | argument_texts.V2

# Learning rate of an optimizer that is specified by name.
LEARNING_RATE = 0.3

_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE


@documented(argument_texts.BASELINE_LOGITS)
def baseline_logits(
    bias: tf.Variable, features: Mapping[str, Any], weight_column: Any = None
) -> tf.Tensor:
    """Repeats the bias for each example of a batch.

    {args}

    Returns:
      Logits of shape [batch_size, logits].

    Raises:
      ValueError: If no feature is left to determine the batch size.
      TypeError: If the weight column is neither a name nor a column.
    """
    feature_columns.check_features(features)
    weight_key = _key(weight_column)
    inputs = [value for key, value in features.items() if key != weight_key]
    if not inputs:
        raise ValueError(
            "features must have at least one entry besides the weights, to tell how many examples "
            f"there are. Given: {dict(features)}"
        )
    sizes = [tf.shape(value)[0] for value in inputs]
    size_checks = [tf1.debugging.assert_equal(sizes[0], size) for size in sizes[1:]]
    # If the batch size is static, computing it reads no feature. Without this dependency, nothing
    # would read the input, and predictions would not stop at its end.
    reads = [
        part for part in tf.nest.flatten(inputs[0], expand_composites=True) if tf.is_tensor(part)
    ]
    with tf.control_dependencies([*size_checks, *reads]):
        return tf.multiply(bias, tf.ones([sizes[0], bias.shape[0]]))


@documented(argument_texts.BASELINE_LOGITS)
def baseline_model_fn_builder_v2(
    features: Mapping[str, Any], num_outputs: int, weight_column: Any = None
) -> tuple[list[tf.Variable], tf.Tensor]:
    """Builds the variables and the logits of a baseline, for a custom model_fn.

    {args}

    Returns:
      The trainable variables, and logits of shape [batch_size, num_outputs].

    Raises:
      ValueError: If no feature is left to determine the batch size.
      TypeError: If the weight column is neither a name nor a column.
    """
    with tf.name_scope("baseline"):
        bias = tf.Variable(tf.zeros([num_outputs]), name="bias")
        return [bias], baseline_logits(bias, features, weight_column)


def _key(weight_column: Any) -> str | None:
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    if not isinstance(getattr(weight_column, "key", None), str):
        raise TypeError(
            "Weight column must be either a string or a numeric column. "
            f"Given type: {type(weight_column)}."
        )
    return weight_column.key


@documented(
    _TEXTS,
    config="Not used.",
    loss_reduction="Reduction of the head's loss. A mean becomes the mean over all replicas.",
)
def baseline_model_fn_v2(
    features: Mapping[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    optimizer: Any,
    weight_column: Any = None,
    config: RunConfig | None = None,
    loss_reduction: str = _MEAN,
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
    variables, logits = baseline_model_fn_builder_v2(features, head.logits_dimension, weight_column)
    if mode == ModeKeys.TRAIN:
        optimizer = optimizers.training_optimizer(optimizer, LEARNING_RATE)

    def train_op_fn(loss: tf.Tensor) -> Any:
        replicas = tf.distribute.get_strategy().num_replicas_in_sync
        if loss_reduction == _MEAN and replicas > 1:
            loss /= replicas
        return optimizer.get_updates(loss, variables)[0]

    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
    )


@documented(_TEXTS)
class BaselineEstimatorV2(EstimatorV2):
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
            baseline_model_fn_v2,
            head=head,
            optimizer=optimizers.prepared(optimizer),
            weight_column=None,
            loss_reduction=_MEAN,
        )
        super().__init__(model_fn, model_dir, config)


@documented(_TEXTS)
class BaselineClassifierV2(EstimatorV2):
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
        loss_reduction: str = _MEAN,
    ) -> None:
        model_fn = functools.partial(
            baseline_model_fn_v2,
            head=heads.binary_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            optimizer=optimizers.prepared(optimizer),
            weight_column=weight_column,
            loss_reduction=loss_reduction,
        )
        super().__init__(model_fn, model_dir, config)


@documented(_TEXTS)
class BaselineRegressorV2(EstimatorV2):
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
        loss_reduction: str = _MEAN,
    ) -> None:
        # As in the original, the weights may be the only feature and determine the batch size.
        model_fn = functools.partial(
            baseline_model_fn_v2,
            head=heads.RegressionHead(
                label_dimension=label_dimension,
                weight_column=weight_column,
                loss_reduction=loss_reduction,
            ),
            optimizer=optimizers.prepared(optimizer),
            weight_column=None,
            loss_reduction=loss_reduction,
        )
        super().__init__(model_fn, model_dir, config)
