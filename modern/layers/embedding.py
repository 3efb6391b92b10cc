"""Embedding that reads the rows of its table that a batch needs, and never the whole table.

table = embedding.Embedding(100_000, 16, name="id_embedding")
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras


@keras.saving.register_keras_serializable(package="modern.layers")
class Embedding(keras.layers.Embedding):
    """Keras' embedding, whose gradient has the rows of a batch alone (`tf.IndexedSlices`).

    From a parameter server it reads the row of an id once, as each embedding column of an Estimator
    did. Keras reads a row as often as its id is in the batch, and sends as many gradients. Keras 3
    would even read the whole table, and then take rows of it.

    Args:
      *args: As for `keras.layers.Embedding`.
      **kwargs: As for `keras.layers.Embedding`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if chosen_keras.version() == 3:
            # A table that is cast in mixed precision would be read as a whole.
            kwargs = {"autocast": False, **kwargs}
        super().__init__(*args, **kwargs)

    def build(self, input_shape: Any = None) -> None:
        """Creates the table."""
        super().build(input_shape)
        if not chosen_keras.is_on_tensorflow():
            # Gradients are whole there, so `optimizers.keras3` asks for it.
            self.embeddings.is_table = True

    def call(self, ids: tf.Tensor) -> tf.Tensor:
        """Returns the rows (..., output_dim) of ids (...)."""
        if not chosen_keras.is_on_tensorflow():
            return super().call(ids)
        if not isinstance(tf.distribute.get_strategy(), tf.distribute.ParameterServerStrategy):
            return self._rows(ids)
        distinct, positions = tf.unique(tf.reshape(ids, [-1]))
        rows = tf.gather(self._rows(distinct), positions)
        return tf.reshape(rows, tf.concat([tf.shape(ids), [self.output_dim]], axis=0))

    def _rows(self, ids: tf.Tensor) -> tf.Tensor:
        if chosen_keras.version() == 2:
            return super().call(ids)
        table = chosen_keras.tf_variable(self.embeddings)
        # The gradient asks for the shape of the rows where they are: here, by the identity, and not
        # on the parameter server.
        return tf.cast(tf.identity(tf.gather(table, ids)), self.compute_dtype)
