"""contrib.learn.models: a linear and a logistic regression on tensors.

predictions, loss = linear_regression(x, y)
"""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1


def _linear(
    x: tf.Tensor, y: tf.Tensor, outputs: int, init_mean: float | None, init_stddev: float
) -> tf.Tensor:
    scope = tf1.get_variable_scope().name
    initializer = None
    if init_mean is not None:
        initializer = tf1.random_normal_initializer(init_mean, init_stddev, dtype=x.dtype)
    make = functools.partial(tf1.get_variable, dtype=x.dtype.base_dtype, initializer=initializer)
    weights = make("weights", [x.shape[1], outputs])
    bias = make("bias", [outputs])
    for name, value in (("x", x), ("y", y), ("weights", weights), ("bias", bias)):
        tf1.summary.histogram(f"{scope}.{name}", value)
    return tf1.nn.xw_plus_b(x, weights, bias)


def linear_regression(
    x: tf.Tensor, y: tf.Tensor, init_mean: float | None = None, init_stddev: float = 1.0
) -> tuple[tf.Tensor, tf.Tensor]:
    """Builds a linear regression.

    Args:
      x: Features of shape [examples, features].
      y: Labels of shape [examples] or [examples, outputs].
      init_mean: Mean of the initial weights. None is TensorFlow's default initializer.
      init_stddev: Standard deviation of the initial weights.

    Returns:
      Predictions, and the mean squared error.
    """
    with tf1.variable_scope("linear_regression"):
        outputs = 1 if y.shape.rank == 1 else y.shape[1]
        predictions = _linear(x, y, outputs, init_mean, init_stddev)
        if y.shape.rank == 1:
            predictions = tf.squeeze(predictions, [1])
        return predictions, tf1.losses.mean_squared_error(y, predictions)


def logistic_regression(
    x: tf.Tensor,
    y: tf.Tensor,
    class_weight: Any = None,
    init_mean: float | None = None,
    init_stddev: float = 1.0,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Builds a logistic regression.

    Args:
      x: Features of shape [examples, features].
      y: One-hot labels of shape [examples, classes].
      class_weight: Factors of the logits of each class, of shape [classes], or None.
      init_mean: Mean of the initial weights. None is TensorFlow's default initializer.
      init_stddev: Standard deviation of the initial weights.

    Returns:
      Probabilities of shape [examples, classes], and the mean log loss.
    """
    with tf1.variable_scope("logistic_regression"):
        logits = _linear(x, y, y.shape[-1], init_mean, init_stddev)
        if class_weight is not None:
            logits = logits * class_weight
        loss = tf1.losses.softmax_cross_entropy(y, logits)
        return tf.nn.softmax(logits), loss


def linear_regression_zero_init(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Builds a `linear_regression` with initial weights of zero.

    Args:
      x: As in `linear_regression`.
      y: As in `linear_regression`.
    """
    return linear_regression(x, y, init_mean=0.0, init_stddev=0.0)


def logistic_regression_zero_init(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Builds a `logistic_regression` with initial weights of zero.

    Args:
      x: As in `logistic_regression`.
      y: As in `logistic_regression`.
    """
    return logistic_regression(x, y, init_mean=0.0, init_stddev=0.0)


__getattr__ = _missing.attribute_of("learn.models")
