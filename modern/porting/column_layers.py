"""Layers that replace feature columns for which Keras has no layer.

>>> import tensorflow as tf
>>> bag = EmbeddingBag(3, 1, "ones", combiner="sum")
>>> bag(tf.constant([[2, 0], [1, -1]])).numpy().tolist()
[[2.0], [1.0]]

Keras' preprocessing layers compute the ids. An id below zero stands for a missing value or for a
value that is not in the vocabulary. Ported programs import these layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras, tf_variable


class FromFeatures(keras.layers.Layer):
    """A functional model of features that accepts the inputs that feature columns accepted.

    It takes a dict of features, which may have more features than the model has inputs. A feature
    of shape (batch,) is treated as (batch, 1). Save it by weights or as a SavedModel.

    Args:
      inputs: The inputs of the model, by the names of the features.
      outputs: The outputs of the model.
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      model: The functional model.
    """

    def __init__(self, inputs: Mapping[str, Any], outputs: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._names = tuple(inputs)
        self.model = keras.Model(dict(inputs), outputs)
        self.built = True  # All its variables exist.

    def call(self, features: Mapping[str, Any], training: bool | None = None) -> Any:
        """Returns the outputs of the model for a dict of features."""
        columns = {name: _as_column(features[name]) for name in self._names}
        return self.model(columns, training=training)


class EmbeddingBag(keras.layers.Layer):
    """A layer that combines the embeddings of an example's ids, like embedding_column.

    Keras' Embedding returns a separate vector for each id, and fails for ids below zero.

    Args:
      input_dim: The number of ids.
      output_dim: The size of the vectors.
      embeddings_initializer: The initializer of the table. By default a truncated normal with
        standard deviation 1 / sqrt(output_dim), as in embedding_column.
      combiner: The combination of one example's vectors: "mean", "sum" or "sqrtn".
      **kwargs: Arguments of `keras.layers.Layer`.
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
            embeddings_initializer = keras.initializers.TruncatedNormal(stddev=output_dim**-0.5)
        self._shape = (input_dim, output_dim)
        self._initializer = keras.initializers.get(embeddings_initializer)
        self._combiner = combiner

    def build(self, input_shape: Any) -> None:
        """Creates the table."""
        self.embeddings = self.add_weight(
            name="embedding_weights",
            shape=self._shape,
            dtype=keras.backend.floatx(),  # Not that of the ids, as after keep_float_types().
            initializer=self._initializer,
        )
        super().build(input_shape)

    def call(self, ids: tf.Tensor, weights: tf.Tensor | None = None) -> tf.Tensor:
        """Returns vectors (batch, output_dim) for ids (batch, n) and optional weights (batch, n).

        The vector of an example without ids is zero.
        """
        return _look_up(self.embeddings, ids, weights, self._combiner)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the layer."""
        return {
            **super().get_config(),
            "input_dim": self._shape[0],
            "output_dim": self._shape[1],
            "embeddings_initializer": keras.initializers.serialize(self._initializer),
            "combiner": self._combiner,
        }


class Linear(keras.layers.Layer):
    """A linear model: a weight for each number and each id of its columns, and one bias.

    The variables have the names, the order and the initial zeros of an Estimator's linear model:
    NAME/COLUMN/weights, in the order of the columns' names, and NAME/bias_weights. For example,
    "linear/age/weights".

    Args:
      units: The number of logits.
      sizes: The number of ids of each id column. Other columns are numbers.
      sparse_combiner: The combination of the weights of one example's ids in a column: "sum",
        "mean" or "sqrtn".
      **kwargs: Arguments of `keras.layers.Layer`.
    """

    def __init__(
        self, units: int, sizes: Mapping[str, int], sparse_combiner: str = "sum", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._units, self._sizes, self._combiner = units, dict(sizes), sparse_combiner

    def build(self, input_shape: Mapping[str, Any]) -> None:
        """Creates the weights."""
        self._tables = {
            column: _weight(
                self,
                column,
                (self._sizes.get(column) or input_shape[column][-1], self._units),
            )
            for column in sorted(input_shape)
        }
        self._bias = self.add_weight(
            name="bias_weights",
            shape=(self._units,),
            dtype=keras.backend.floatx(),
            initializer="zeros",
        )
        super().build(input_shape)

    def call(self, columns: Mapping[str, Any]) -> tf.Tensor:
        """Returns logits (batch, units) for columns by name.

        Args:
          columns: For an id column, ids (batch, n) or a pair of ids and their weights. For a column
            of numbers, (batch, n).
        """
        parts = []
        for column, table in self._tables.items():
            value = columns[column]
            if column in self._sizes:
                ids, weights = value if isinstance(value, (tuple, list)) else (value, None)
                parts.append(_look_up(table, ids, weights, self._combiner))
            else:
                parts.append(tf.matmul(value, table))
        return tf.nn.bias_add(tf.add_n(parts), self._bias)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the layer."""
        return {
            **super().get_config(),
            "units": self._units,
            "sizes": self._sizes,
            "sparse_combiner": self._combiner,
        }


class Baseline(keras.layers.Layer):
    """A layer that returns the same logits for every example and ignores its features.

    A useful model must be better than this baseline.

    Args:
      units: The number of logits.
      **kwargs: Arguments of `keras.layers.Layer`.
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._units = units

    def build(self, input_shape: Any) -> None:
        """Creates the bias."""
        self._bias = self.add_weight(
            name="bias", shape=(self._units,), dtype=keras.backend.floatx(), initializer="zeros"
        )
        super().build(input_shape)

    def call(self, features: Mapping[str, Any]) -> tf.Tensor:
        """Returns logits (batch, units). The first feature gives the size of the batch."""
        first = tf.nest.flatten(features)[0]
        return self._bias * tf.ones([tf.shape(first)[0], self._units])

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the layer."""
        return {**super().get_config(), "units": self._units}


def _weight(layer: keras.layers.Layer, column: str, shape: tuple[int, int]) -> Any:
    """Returns the weight COLUMN/weights of a layer, which begins with zeros."""
    options = {"shape": shape, "dtype": keras.backend.floatx(), "initializer": "zeros"}
    if chosen_keras.version() == 2:
        return layer.add_weight(name=f"{column}/weights", **options)
    # Names of Keras 3 have no slashes, but scopes put them into paths.
    with keras.name_scope(layer.name, caller=layer), keras.name_scope(column):
        return keras.Variable(name="weights", **options)


def _look_up(table: Any, ids: tf.Tensor, weights: tf.Tensor | None, combiner: str) -> tf.Tensor:
    """Returns the combined table rows of each example's ids (batch, n), without ids below zero."""
    indices = tf.where(ids >= 0)
    shape = tf.shape(ids, out_type=tf.int64)
    sparse_ids = tf.SparseTensor(indices, tf.gather_nd(ids, indices), shape)
    if weights is not None:
        weights = tf.SparseTensor(indices, tf.gather_nd(weights, indices), shape)
    table = tf_variable(table)
    return tf.nn.safe_embedding_lookup_sparse(table, sparse_ids, weights, combiner=combiner)


def _as_column(feature: tf.Tensor) -> tf.Tensor:
    """Returns a feature (batch,) as (batch, 1)."""
    return feature[:, tf.newaxis] if feature.shape.rank == 1 else feature
