"""Weights whose shape a model knows at their first use.

    self.kernel = porting.Weight("kernel", initializer="zeros")
    kernel = self.kernel.of_shape([x.shape[-1], 8])

A model_fn of TensorFlow 1 could ask tensors for their shape while it made variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf
import tf_keras


class Weight(tf_keras.layers.Layer):
    """A weight that its first use creates."""

    def __init__(self, name: str, **options: Any) -> None:
        """Keeps the options.

        Args:
          name: Name of the weight.
          **options: Other arguments of `add_weight`.
        """
        super().__init__(name=name)
        self._options = options

    def of_shape(self, shape: Sequence[int]) -> tf.Variable:
        """Returns the weight.

        Args:
          shape: Its shape. Each use must give the same one.

        Raises:
          ValueError: The weight has another shape.
        """
        shape = tf.TensorShape(shape)
        if not self.weights:
            with tf.init_scope():  # A function, such as a training step, may make the first use.
                self.add_weight(name=self.name, shape=shape, **self._options)
        (weight,) = self.weights
        if weight.shape != shape:
            raise ValueError(f"The weight {self.name} has shape {weight.shape}, not {shape}.")
        return weight
