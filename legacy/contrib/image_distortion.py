"""Hue, saturation and value of images in YIQ colors: tf.contrib.image's private distort_image_ops.

    image = random_hsv_in_yiq(image, max_delta_hue=0.2, lower_saturation=0.5, upper_saturation=1.5)

The original was a custom operation. This version multiplies the colors by a 3x3 matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

_YIQ_OF_RGB = np.array(
    [[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]], np.float64
)
_RGB_OF_YIQ = np.linalg.inv(_YIQ_OF_RGB)


def random_hsv_in_yiq(
    image: Any,
    max_delta_hue: float = 0,
    lower_saturation: float = 1,
    upper_saturation: float = 1,
    lower_value: float = 1,
    upper_value: float = 1,
    seed: int | None = None,
) -> tf.Tensor:
    """Changes the colors of images at random.

    Args:
      image: As in `adjust_hsv_in_yiq`.
      max_delta_hue: Maximum rotation of the hue in either direction, in radians.
      lower_saturation: Lower bound of the saturation factor.
      upper_saturation: Upper bound of the saturation factor.
      lower_value: Lower bound of the value factor.
      upper_value: Upper bound of the value factor.
      seed: Seed of the random operations.

    Returns:
      Images of the same shape and dtype.

    Raises:
      ValueError: A bound is negative, or a lower bound is above its upper bound.
    """
    for name, bound in (
        ("max_delta", max_delta_hue),
        ("lower_saturation", lower_saturation),
        ("lower_value", lower_value),
    ):
        if bound < 0:
            raise ValueError(f"{name} must be non-negative. Given: {bound}")
    hue = _uniform(-max_delta_hue, max_delta_hue, "max_delta", seed)
    saturation = _uniform(lower_saturation, upper_saturation, "lower_saturation", seed)
    value = _uniform(lower_value, upper_value, "lower_value", seed)
    return adjust_hsv_in_yiq(image, hue, saturation, value)


def _uniform(lower: float, upper: float, name: str, seed: int | None) -> Any:
    if lower > upper:
        raise ValueError(f"{name} must be < {name.replace('lower', 'upper')}: {lower} > {upper}")
    return lower if lower == upper else tf.random.uniform([], lower, upper, seed=seed)


def adjust_hsv_in_yiq(
    image: Any,
    delta_hue: Any = 0,
    scale_saturation: Any = 1,
    scale_value: Any = 1,
    name: str | None = None,
) -> tf.Tensor:
    """Changes the colors of images.

    Args:
      image: RGB images of shape [..., 3] and any dtype. Integers represent the range from 0 to 1.
      delta_hue: Rotation of the hue, in radians.
      scale_saturation: Factor of the saturation.
      scale_value: Factor of the value.
      name: Name of the operation.

    Returns:
      Images of the same shape and dtype.
    """
    with tf.name_scope(name or "adjust_hsv_in_yiq"):
        image = tf.convert_to_tensor(image, name="image")
        colors = tf.image.convert_image_dtype(image, tf.float32)
        delta, saturation, value = (
            tf.cast(amount, tf.float32) for amount in (delta_hue, scale_saturation, scale_value)
        )
        sine, cosine = tf.sin(delta) * saturation, tf.cos(delta) * saturation
        rotation = tf.stack([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
        matrix = value * (_RGB_OF_YIQ.astype("float32") @ rotation @ _YIQ_OF_RGB.astype("float32"))
        new_colors = tf.einsum("ij,...j->...i", matrix, colors)
        return tf.image.convert_image_dtype(new_colors, image.dtype)
