"""The mean embedding of the words of a text, as tf.contrib.layers.bow_encoder computed it.

>>> import tensorflow as tf
>>> import tf_keras as keras
>>> table = keras.initializers.Constant([[7], [2], [4]])
>>> layer = BagOfWords(3, 1, embeddings_initializer=table)
>>> layer(tf.constant([[1, 2, 0], [2, 0, 0], [0, 0, 0]])).numpy().tolist()
[[3.0], [4.0], [7.0]]

https://github.com/tensorflow/tensorflow/blob/v1.15.5/tensorflow/contrib/layers/python/layers/encoders.py
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras, tf_variable


class BagOfWords(keras.layers.Layer):
    """A layer that averages the embeddings of the ids in each row."""

    def __init__(
        self,
        vocab_size: int,
        embed_dim: int,
        sparse_lookup: bool = True,
        embeddings_initializer: Any = "glorot_uniform",
        embeddings_regularizer: Any = None,
        **options: Any,
    ) -> None:
        """Keeps the options.

        Args:
          vocab_size: Number of ids.
          embed_dim: Size of each embedding.
          sparse_lookup: If true, ids of 0 in a dense tensor do not count. A row without other ids
            gets the embedding of 0.
          embeddings_initializer: Initializer of the embeddings.
          embeddings_regularizer: Regularizer of the embeddings.
          **options: Arguments of every layer, such as the name.
        """
        super().__init__(**options)
        self._shape, self._sparse_lookup = (vocab_size, embed_dim), sparse_lookup
        self._initializer = keras.initializers.get(embeddings_initializer)
        self._regularizer = keras.regularizers.get(embeddings_regularizer)

    def build(self, input_shape: Any) -> None:
        """Makes the embeddings, of shape [vocab_size, embed_dim]."""
        self.embeddings = self.add_weight(
            name="embeddings",
            shape=self._shape,
            # After keep_float_types(), the type of the layer is that of the ids.
            dtype=keras.backend.floatx(),
            initializer=self._initializer,
            regularizer=self._regularizer,
        )
        super().build(input_shape)

    def call(self, ids: Any) -> tf.Tensor:
        """Returns the means, of shape [batch, embed_dim].

        Args:
          ids: Integers of shape [batch, length]: a tensor, or a SparseTensor.

        Raises:
          TypeError: The ids are sparse, and `sparse_lookup` is false.
        """
        is_sparse = isinstance(ids, tf.SparseTensor)
        if self._sparse_lookup:
            sparse_ids = ids if is_sparse else tf.sparse.from_dense(ids)
            return tf.nn.safe_embedding_lookup_sparse(
                tf_variable(self.embeddings), sparse_ids, combiner="mean", default_id=0
            )
        if is_sparse:
            raise TypeError(f"{self.name}: the ids are sparse, and sparse_lookup is false.")
        return tf.reduce_mean(tf.nn.embedding_lookup(tf_variable(self.embeddings), ids), axis=1)
