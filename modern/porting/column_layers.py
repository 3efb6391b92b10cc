"""Layers for what feature columns did and no layer of Keras does.

>>> import tensorflow as tf
>>> bag = EmbeddingBag(3, 1, "ones", combiner="sum")
>>> bag(tf.constant([[2, 0], [1, -1]])).numpy().tolist()
[[2.0], [1.0]]

Ids come from Keras' preprocessing layers; one below zero stands for a value that is missing or in
no vocabulary. Ported programs import these layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf
import tf_keras


class FromFeatures(tf_keras.layers.Layer):
    """A functional model of features, which takes them as feature columns did.

    It is called with features by name, of which there may be more than it has inputs; one of shape
    (batch,) stands for (batch, 1). It is saved by weights or as a SavedModel.

    Args:
      inputs: Those of the model, by the features' names.
      outputs: What it makes of them.
      **kwargs: Those of `tf_keras.layers.Layer`.

    Attributes:
      model: The functional model.
    """

    def __init__(self, inputs: Mapping[str, Any], outputs: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.model = tf_keras.Model(dict(inputs), outputs)
        self.built = True  # As all its variables are there.

    def call(self, features: Mapping[str, Any], training: bool | None = None) -> Any:
        """From features to outputs."""
        chosen = {name: _as_column(features[name]) for name in self.model.input_names}
        return self.model(chosen, training=training)


class EmbeddingBag(tf_keras.layers.Layer):
    """A vector for each id, those of an example's ids combined, as embedding_column had it.

    Keras' Embedding returns a vector for each id, and fails for ids below zero.

    Args:
      input_dim: How many ids there are.
      output_dim: The vectors' size.
      embeddings_initializer: By default a truncated normal of deviation 1 / sqrt(output_dim), as of
        embedding_column.
      combiner: "mean", "sum" or "sqrtn": how the vectors of one example are combined.
      **kwargs: Those of `tf_keras.layers.Layer`.
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = None,
        combiner: str = "mean",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if embeddings_initializer is None:
            embeddings_initializer = tf_keras.initializers.TruncatedNormal(stddev=output_dim**-0.5)
        self._shape = (input_dim, output_dim)
        self._initializer = tf_keras.initializers.get(embeddings_initializer)
        self._combiner = combiner

    def build(self, input_shape: Any) -> None:
        """Makes the table."""
        self.embeddings = self.add_weight(
            "embedding_weights", self._shape, initializer=self._initializer
        )
        super().build(input_shape)

    def call(self, ids: tf.Tensor, weights: tf.Tensor | None = None) -> tf.Tensor:
        """From ids (batch, n), each with its weight if there are any, to (batch, output_dim).

        The vectors of an example without ids are zeros.
        """
        return _looked_up(self.embeddings, ids, weights, self._combiner)

    def get_config(self) -> dict[str, Any]:
        """The arguments."""
        return {
            **super().get_config(),
            "input_dim": self._shape[0],
            "output_dim": self._shape[1],
            "embeddings_initializer": tf_keras.initializers.serialize(self._initializer),
            "combiner": self._combiner,
        }


class Linear(tf_keras.layers.Layer):
    """A linear model: a weight for each number and each id of its columns, and one bias.

    Variables are called and ordered as an Estimator's linear model had them, and begin with zeros:
    NAME/COLUMN/weights, in the order of the columns' names, and NAME/bias_weights.

    Args:
      units: How many logits there are.
      sizes: By column, how many ids it has; other columns are numbers.
      sparse_combiner: "sum", "mean" or "sqrtn": how the weights of one example's ids in a column
        are combined.
      **kwargs: Those of `tf_keras.layers.Layer`.
    """

    def __init__(
        self, units: int, sizes: Mapping[str, int], sparse_combiner: str = "sum", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._units, self._sizes, self._combiner = units, dict(sizes), sparse_combiner

    def build(self, input_shape: Mapping[str, Any]) -> None:
        """Makes the weights."""
        self._tables = {
            column: self.add_weight(
                f"{column}/weights",
                (self._sizes.get(column) or input_shape[column][-1], self._units),
                initializer="zeros",
            )
            for column in sorted(input_shape)
        }
        self._bias = self.add_weight("bias_weights", (self._units,), initializer="zeros")
        super().build(input_shape)

    def call(self, columns: Mapping[str, Any]) -> tf.Tensor:
        """From columns by name to logits (batch, units).

        Args:
          columns: Of ids (batch, n), or a pair of ids and their weights; of numbers (batch, n).
        """
        parts = []
        for column, table in self._tables.items():
            value = columns[column]
            if column in self._sizes:
                ids, weights = value if isinstance(value, (tuple, list)) else (value, None)
                parts.append(_looked_up(table, ids, weights, self._combiner))
            else:
                parts.append(tf.matmul(value, table))
        return tf.nn.bias_add(tf.add_n(parts), self._bias)

    def get_config(self) -> dict[str, Any]:
        """The arguments."""
        return {
            **super().get_config(),
            "units": self._units,
            "sizes": self._sizes,
            "sparse_combiner": self._combiner,
        }


class Baseline(tf_keras.layers.Layer):
    """The same logits for each example, whatever its features: what a model has to beat.

    Args:
      units: How many logits there are.
      **kwargs: Those of `tf_keras.layers.Layer`.
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._units = units

    def build(self, input_shape: Any) -> None:
        """Makes the bias."""
        self._bias = self.add_weight("bias", (self._units,), initializer="zeros")
        super().build(input_shape)

    def call(self, features: Mapping[str, Any]) -> tf.Tensor:
        """From features by name, of which one tells the size of the batch, to (batch, units)."""
        first = tf.nest.flatten(features)[0]
        return self._bias * tf.ones([tf.shape(first)[0], self._units])

    def get_config(self) -> dict[str, Any]:
        """The arguments."""
        return {**super().get_config(), "units": self._units}


def _looked_up(table: Any, ids: tf.Tensor, weights: tf.Tensor | None, combiner: str) -> tf.Tensor:
    """The rows of ids (batch, n) from zero on, those of an example combined."""
    present = tf.where(ids >= 0)
    shape = tf.shape(ids, out_type=tf.int64)
    chosen = tf.SparseTensor(present, tf.gather_nd(ids, present), shape)
    if weights is not None:
        weights = tf.SparseTensor(present, tf.gather_nd(weights, present), shape)
    return tf.nn.safe_embedding_lookup_sparse(table, chosen, weights, combiner=combiner)


def _as_column(feature: tf.Tensor) -> tf.Tensor:
    """A feature (batch,) as (batch, 1)."""
    return feature[:, tf.newaxis] if feature.shape.rank == 1 else feature
