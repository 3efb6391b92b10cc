"""Weights and layers whose shape a model knows at their first use.

    self.kernel = porting.Weight("kernel", initializer="zeros")
    kernel = self.kernel.of_shape([x.shape[-1], 8])

    self.gate = porting.SizedLayer(keras.layers.Dense, name="gate", activation="sigmoid")
    gate = self.gate.of_size(x.shape[-1])(x)

A model_fn of TensorFlow 1 could ask tensors for their shape while it made variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras


class Weight(keras.layers.Layer):
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
        shape = tuple(tf.TensorShape(shape).as_list())
        if not self.weights:
            with tf.init_scope():  # A function, such as a training step, may make the first use.
                self.add_weight(name=self.name, shape=shape, **self._options)
        (weight,) = self.weights
        if tuple(weight.shape) != shape:
            raise ValueError(f"The weight {self.name} has shape {weight.shape}, not {shape}.")
        return weight


class SizedLayer(keras.layers.Layer):
    """A layer that its first use creates."""

    def __init__(self, layer: type[keras.layers.Layer], name: str, **options: Any) -> None:
        """Keeps the options.

        Args:
          layer: Class of the layer, such as `keras.layers.Dense`.
          name: Name of the layer.
          **options: Other arguments of the class, except the first one.
        """
        super().__init__(name=name)
        self._class, self._options = layer, options
        self._size: int | None = None
        self._layer: keras.layers.Layer | None = None

    def of_size(self, size: int) -> keras.layers.Layer:
        """Returns the layer.

        Args:
          size: First argument of its class, such as the units. Each use must give the same one.

        Raises:
          ValueError: The layer has another size.
        """
        if self._layer is None:
            self._size = size
            self._layer = self._class(size, name=self.name, **self._options)
        if self._size != size:
            raise ValueError(f"The layer {self.name} has size {self._size}, not {size}.")
        return self._layer
