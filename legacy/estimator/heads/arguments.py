"""Checks the arguments of heads other than tensors.

>>> validate_loss_fn_args(lambda labels, logits: None)
>>> validate_thresholds([0.5, 0.9])
(0.5, 0.9)

The functions named `validate_...` and `check_...` keep the names from the private modules of
tensorflow_estimator, because programs import them from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.arguments import names

tf1 = tf.compat.v1

V2_LOSS_FN = ("labels", "logits", "features", "loss_reduction")
V1_LOSS_FN = ("labels", "logits", "features")
V2_REDUCTIONS = ("auto", "sum", "sum_over_batch_size")


def validate_loss_fn_args(loss_fn: Callable[..., Any], allowed: Sequence[str] = V2_LOSS_FN) -> None:
    """Checks the argument names of a loss function.

    Args:
      loss_fn: The user's loss function.
      allowed: Names of arguments that it may have. `labels` and `logits` are required.

    Raises:
      ValueError: If a required argument is missing, or if the function has another argument.
    """
    loss_fn_arguments = names(loss_fn)
    for required in ("labels", "logits"):
        if required not in loss_fn_arguments:
            raise ValueError(
                f"loss_fn must contain argument: {required}. Given arguments: {loss_fn_arguments}"
            )
    unexpected = [name for name in loss_fn_arguments if name not in allowed]
    if unexpected:
        raise ValueError(f"loss_fn has unexpected args: {unexpected}. It may take {allowed}.")


def validate_loss_reduction(loss_reduction: Any) -> None:
    """Checks a loss reduction of the v2 API.

    Args:
      loss_reduction: One of `tf.losses.Reduction`.

    Raises:
      ValueError: If it is `NONE`, or not one of `tf.losses.Reduction`.
    """
    if loss_reduction not in V2_REDUCTIONS:
        raise ValueError(
            f"Invalid loss_reduction: {loss_reduction}. See `tf.losses.Reduction` for valid "
            f"options: {', '.join(V2_REDUCTIONS)}."
        )


def validate_n_classes(n_classes: Any) -> Any:
    """Checks that the number of classes is at least three.

    Args:
      n_classes: An int, or an integer tensor with one element.

    Returns:
      `n_classes`, unchanged.

    Raises:
      ValueError: If it is None, or an int below three.
      InvalidArgumentError: If it is a tensor with a value below three.
    """
    if n_classes is None:
        raise ValueError("n_classes cannot be None")
    if isinstance(n_classes, int) and n_classes <= 2:
        raise ValueError(f"n_classes must be > 2: {n_classes}.")
    if not isinstance(n_classes, int):
        tf1.debugging.assert_greater(
            tf.convert_to_tensor(n_classes), 2, message="n_classes must be greater than 2"
        )
    return n_classes


def validate_thresholds(thresholds: Iterable[float] | None) -> tuple[float, ...]:
    """Checks the thresholds of metrics.

    Args:
      thresholds: Numbers in (0, 1), or None.

    Returns:
      The thresholds as a tuple.

    Raises:
      ValueError: If a threshold is not in (0, 1).
    """
    threshold_tuple = tuple(thresholds) if thresholds else ()
    for threshold in threshold_tuple:
        if not 0.0 < threshold < 1.0:
            raise ValueError(
                f"thresholds not in (0, 1): {threshold_tuple}. thresholds must be in (0, 1) range. "
                f"Given: {threshold}"
            )
    return threshold_tuple


def check_list(
    value: Any,
    name: str,
    error: type[Exception] = ValueError,
    rule: str = "should be a list or a tuple",
) -> None:
    """Checks that an argument is None, a list or a tuple.

    Args:
      value: Value of the argument.
      name: Name of the argument.
      error: Type of the exception.
      rule: Text of the error message after the name.

    Raises:
      ValueError: If the argument is of another type. Replaced by `error` if that is passed.
    """
    if value is not None and not isinstance(value, list | tuple):
        raise error(f"{name} {rule}. Given type: {type(value)}.")


def check_multi_label_arguments(
    n_classes: Any, label_vocabulary: Any, kind: str = "multi-label"
) -> None:
    """Checks the number and the names of the classes.

    Args:
      n_classes: Number of classes, two or more.
      label_vocabulary: Names of the classes, `n_classes` in number, or None.
      kind: Name of the kind of classification in the error message.

    Raises:
      ValueError: If an argument is invalid.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for {kind} classification. Given: {n_classes}")
    check_list(label_vocabulary, "label_vocabulary", rule="must be a list or tuple")
    if label_vocabulary is not None and len(label_vocabulary) != n_classes:
        raise ValueError(
            f"Length of label_vocabulary must be n_classes ({n_classes}). "
            f"Given: {len(label_vocabulary)}"
        )


def check_prediction_keys(pred_keys: Iterable[str], valid_keys: Sequence[str]) -> None:
    """Checks the names of the requested predictions.

    Args:
      pred_keys: Names of the requested predictions.
      valid_keys: Names of the predictions that the head can compute.

    Raises:
      ValueError: If a requested name is not among `valid_keys`.
    """
    for key in pred_keys:
        if key not in valid_keys:
            raise ValueError(
                f"Prediction key must be in PredictionKeys, given: {key}. "
                f"Valid prediction keys include {valid_keys}."
            )


def validate_update_ops(update_ops: Any = None) -> None:
    """Checks the update ops of a training step.

    Args:
      update_ops: A list or tuple of operations, or None.

    Raises:
      ValueError: If it is of another type.
    """
    check_list(update_ops, "update_ops")


def validate_trainable_variables(trainable_variables: Any = None) -> None:
    """Checks the list of variables that an optimizer trains.

    Args:
      trainable_variables: A list or tuple of variables.

    Raises:
      ValueError: If it is None or of another type.
    """
    if trainable_variables is None:
        raise ValueError(
            "trainable_variables cannot be None. Pass the model's variables, for example "
            "model.trainable_variables. Given None"
        )
    check_list(trainable_variables, "trainable_variables")


def validate_v2_optimizer(optimizer: Any) -> None:
    """Checks that an optimizer can train a head of the v2 API.

    Args:
      optimizer: A `tf_keras.optimizers.legacy.Optimizer`, or an object with a `get_updates` method.

    Raises:
      ValueError: If it is of another type. In TensorFlow 2.15 a new-style Keras optimizer failed
        later, with an AttributeError.
    """
    if callable(getattr(optimizer, "get_updates", None)):
        return
    kind = type(optimizer)
    advice = "Pass v1 optimizers by train_op_fn=lambda loss: optimizer.minimize(loss, global_step)."
    if isinstance(optimizer, tf_keras.optimizers.Optimizer):
        advice = f"Use tf_keras.optimizers.legacy.{kind.__name__}, which works in a graph."
    raise ValueError(
        "The given optimizer is not a tf.keras.optimizers.Optimizer instance that a model_fn can "
        f"use (tf_keras.optimizers.legacy). Received optimizer of type {kind}. {advice}"
    )
