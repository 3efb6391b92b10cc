"""TensorFlow's variables that stand in a checkpoint for those of a model on JAX or torch.

    mirrors = Mirrors()
    checkpoint = tf.train.Checkpoint(kernel=mirrors.of(layer.kernel))
    mirrors.update()
    checkpoint.write(path)

So a training has the same checkpoints with each backend, and each of them can continue it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import tf_variable


class Mirrors:
    """The variables that were made for a model. There are none with the backend TensorFlow."""

    def __init__(self) -> None:
        self._pairs: list[tuple[tf.Variable, Any]] = []

    def of(self, variable: Any) -> tf.Variable:
        """Returns TensorFlow's own variable of a variable of Keras, or makes one with its value."""
        if chosen_keras.is_on_tensorflow():
            return tf_variable(variable)
        value = variable.numpy()
        if value.dtype == np.int32:
            value = value.astype(np.int64)  # As TensorFlow counts steps. JAX has 32 bits.
        with tf.device("CPU"):
            mirror = tf.Variable(value, trainable=False)
        self._pairs.append((mirror, variable))
        return mirror

    def update(self) -> None:
        """Gives each of them the value of the model, before a checkpoint is written."""
        for mirror, variable in self._pairs:
            mirror.assign(variable.numpy())

    def apply(self) -> None:
        """Gives the model the value of each of them, after a checkpoint is restored."""
        for mirror, variable in self._pairs:
            variable.assign(mirror.numpy())
