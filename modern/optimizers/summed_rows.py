"""Optimizers of Keras 3 that sum the gradients of a row before they use them.

    optimizer = summed_rows.Adam(0.001)

The gradient of a table (`tf.IndexedSlices`) has one row for each id of a batch. An id that is there
twice has two rows. tf.train and tf_keras sum them first. Keras 3 on TensorFlow squares each of
them: of the gradients 2 and 3, its Adam notes 4 + 9 and not 25. With its backends JAX and torch,
gradients are dense, and have no such rows.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras

_register = keras.saving.register_keras_serializable(package="modern.optimizers")


def summed(gradient: Any) -> Any:
    """Returns a gradient with one row for each index: the sum of the rows with this index."""
    if not isinstance(gradient, tf.IndexedSlices):
        return gradient
    indices, positions = tf.unique(gradient.indices)
    rows = tf.math.unsorted_segment_sum(gradient.values, positions, tf.size(indices))
    return tf.IndexedSlices(rows, indices, gradient.dense_shape)


class SumsRows(keras.optimizers.Optimizer):
    """Base class before an optimizer of Keras 3, which gives it the sums of rows."""

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable."""
        super().update_step(summed(gradient), variable, learning_rate)


@_register
class Adam(SumsRows, keras.optimizers.Adam):
    """`keras.optimizers.Adam`, with the sums of rows."""


@_register
class AdamW(SumsRows, keras.optimizers.AdamW):
    """`keras.optimizers.AdamW`, with the sums of rows."""


@_register
class Nadam(SumsRows, keras.optimizers.Nadam):
    """`keras.optimizers.Nadam`, with the sums of rows."""


@_register
class RMSprop(SumsRows, keras.optimizers.RMSprop):
    """`keras.optimizers.RMSprop`, with the sums of rows."""


@_register
class Adadelta(SumsRows, keras.optimizers.Adadelta):
    """`keras.optimizers.Adadelta`, with the sums of rows."""
