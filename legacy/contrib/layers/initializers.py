"""Initializers of tf.contrib.layers that preserve the variance of activations.

layers.fully_connected(net, 10, weights_initializer=variance_scaling_initializer())
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf


def xavier_initializer(
    uniform: bool = True, seed: int | None = None, dtype: Any = tf.float32
) -> Callable[..., tf.Tensor]:
    """Returns the Xavier (Glorot) initializer: its variance is 2 / (inputs + outputs).

    Args:
      uniform: If true, draws from a uniform distribution, else from a normal distribution that is
        truncated at two standard deviations.
      seed: Random seed.
      dtype: Floating type.

    Raises:
      TypeError: `dtype` is not a floating type.
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0,
    mode: str = "FAN_IN",
    uniform: bool = False,
    seed: int | None = None,
    dtype: Any = tf.float32,
) -> Callable[..., tf.Tensor]:
    """Returns an initializer whose variance is a factor divided by the number of inputs or outputs.

    Args:
      factor: Numerator of the variance. He et al. use 2 for relu.
      mode: Denominator of the variance: "FAN_IN", "FAN_OUT", or "FAN_AVG" for their mean.
      uniform: If true, draws from a uniform distribution, else from a normal distribution that is
        truncated at two standard deviations.
      seed: Random seed.
      dtype: Floating type.

    Returns:
      A function of a shape, a type and the partition info, which returns a tensor.

    Raises:
      TypeError: `dtype` is not a floating type, or the mode is unknown.
    """
    _check_floating(dtype)
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")

    def initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> tf.Tensor:
        del partition_info
        _check_floating(dtype)
        fans = _fans([int(size) for size in shape])
        count = {"FAN_IN": fans[0], "FAN_OUT": fans[1], "FAN_AVG": sum(fans) / 2}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / count)
            return tf.compat.v1.random_uniform(shape, -limit, limit, dtype, seed=seed)
        # Truncation at two standard deviations removes about a quarter of the variance, which the
        # factor 1.3 restores.
        stddev = math.sqrt(1.3 * factor / count)
        return tf.compat.v1.truncated_normal(shape, 0.0, stddev, dtype, seed=seed)

    return initializer


def _check_floating(dtype: Any) -> None:
    if not tf.as_dtype(dtype).is_floating:
        raise TypeError(f"Cannot create initializer for non-floating point type {dtype}.")


def _fans(shape: list[int]) -> tuple[float, float]:
    """Returns the numbers of inputs and outputs that one application of the weights connects."""
    if not shape:
        return 1.0, 1.0
    positions = float(math.prod(shape[:-2]))
    return positions * shape[-2 if len(shape) > 1 else -1], positions * shape[-1]


# Default initializers of the layers for weights and biases.
XAVIER = xavier_initializer()
ZEROS = tf.compat.v1.zeros_initializer()
