"""Models of feature columns, from features to logits, as canned Estimators built them.

>>> import tensorflow as tf
>>> age = tf.feature_column.numeric_column("age")
>>> model = Deep([age], [8, 4])
>>> [variable.name for variable in model.trainable_variables][:2]
['dnn/hiddenlayer_0/kernel:0', 'dnn/hiddenlayer_0/bias:0']
>>> Linear([age])({"age": tf.constant([30.0, 40.0])}).numpy().tolist()
[[0.0], [0.0]]

They take all columns of `tf.feature_column`, and all features that the columns take, sparse tensors
too. Variables exist from the start, with the names of an Estimator's.
Columns that Keras layers can replace need no such model: see `column_layers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras

# TensorFlow exports these classes for the Keras layers that take feature columns.
_columns = tf.__internal__.feature_column
_MOMENTUM = 0.999  # Of the batch normalization in canned DNNs.


class _ColumnLayer(keras.layers.Layer):
    """A layer of feature columns, in the order of their names.

    Args:
      columns: Feature columns.
      name: Scope of the variables.

    Raises:
      ValueError: Two columns have the same name.
    """

    def __init__(self, columns: Iterable[Any], name: str) -> None:
        super().__init__(name=name, autocast=False)  # Columns cast.
        is_single = isinstance(columns, _columns.FeatureColumn)
        self._columns = sorted([columns] if is_single else columns, key=lambda column: column.name)
        names = [column.name for column in self._columns]
        duplicates = [name for name in names if names.count(name) > 1]
        if duplicates:
            raise ValueError(f"Two columns have the name {duplicates[0]!r}.")
        # It keeps tables of words between calls.
        self._state = _columns.StateManager(self, self.trainable)
        for column in self._columns:
            with tf.compat.v1.variable_scope(f"{name}/{_scope(column)}"):  # As StateManager needs.
                self._create(column)
        self.built = True

    def _create(self, column: Any) -> None:
        column.create_state(self._state)


class _Numbers(_ColumnLayer):
    """Concatenates dense columns, as `DenseFeatures` and `input_layer` do."""

    @property
    def size(self) -> int:
        """The number of numbers of an example."""
        return sum(column.variable_shape.num_elements() for column in self._columns)

    def call(self, features: Mapping[str, Any]) -> tf.Tensor:
        """Returns numbers (batch, size)."""
        cache = _columns.FeatureTransformationCache(features)
        return tf.concat([_dense(column, cache, self._state) for column in self._columns], -1)


class _WeightedSum(_ColumnLayer):
    """Adds up weighted columns and a bias, for each unit."""

    def __init__(self, columns: Iterable[Any], units: int, combiner: str, name: str) -> None:
        self._units, self._combiner = units, combiner
        super().__init__(columns, name)
        with tf.name_scope(name):
            self._bias = self.add_weight(name="bias_weights", shape=(units,), initializer="zeros")

    def _create(self, column: Any) -> None:
        super()._create(column)
        size = column.num_buckets if _has_ids(column) else column.variable_shape.num_elements()
        shape = (size, self._units)
        self._state.create_variable(column, "weights", shape, tf.float32, initializer=tf.zeros)

    def call(self, features: Mapping[str, Any]) -> tf.Tensor:
        """Returns logits (batch, units)."""
        cache = _columns.FeatureTransformationCache(features)
        sums = [self._sum(column, cache) for column in self._columns]
        return tf.nn.bias_add(tf.add_n(sums), self._bias)

    def _sum(self, column: Any, cache: Any) -> tf.Tensor:
        weights = self._state.get_variable(column, "weights")
        if not _has_ids(column):
            return tf.matmul(_dense(column, cache, self._state), weights)
        ids, factors = column.get_sparse_tensors(cache, self._state)
        factors = None if factors is None else _as_matrix(factors)
        return tf.nn.safe_embedding_lookup_sparse(
            weights, _as_matrix(ids), factors, combiner=self._combiner
        )


class Linear(keras.Model):
    """A linear model: a weight for each number and each id of its columns, and one bias.

    Args:
      columns: Feature columns, of numbers or of ids.
      units: Number of logits.
      sparse_combiner: Combination of the weights of one example's ids in a column: "sum", "mean" or
        "sqrtn".
    """

    def __init__(
        self, columns: Iterable[Any], units: int = 1, sparse_combiner: str = "sum"
    ) -> None:
        super().__init__(name="linear", autocast=False)
        self._sum = _WeightedSum(columns, units, sparse_combiner, "linear/linear_model")
        self.built = True

    def call(self, features: Mapping[str, Any]) -> tf.Tensor:
        """Returns logits (batch, units)."""
        return self._sum(features)


class Deep(keras.Model):
    """A deep model: hidden layers between the columns and the logits.

    Args:
      columns: Feature columns of numbers.
      hidden_units: Sizes of the hidden layers.
      units: Number of logits.
      activation: Activation of the hidden layers.
      dropout: Share of the numbers that each hidden layer drops in training. None drops none.
      batch_norm: If true, normalizes each hidden layer.
    """

    def __init__(
        self,
        columns: Iterable[Any],
        hidden_units: Iterable[int],
        units: int = 1,
        activation: str | Callable[[tf.Tensor], tf.Tensor] | None = "relu",
        dropout: float | None = None,
        batch_norm: bool = False,
    ) -> None:
        super().__init__(name="dnn", autocast=False)
        layers = keras.layers
        self._numbers = _Numbers(columns, "dnn/input_from_feature_columns/input_layer")
        self._hidden = keras.Sequential([keras.Input([self._numbers.size])])
        for index, size in enumerate(hidden_units):
            name = f"dnn/hiddenlayer_{index}"
            self._hidden.add(layers.Dense(size, activation, name=name))
            if dropout is not None:
                self._hidden.add(layers.Dropout(dropout))
            if batch_norm:
                name = f"{name}/batchnorm_{index}"
                self._hidden.add(layers.BatchNormalization(momentum=_MOMENTUM, name=name))
        self._hidden.add(layers.Dense(units, name="dnn/logits"))
        self.built = True

    def call(self, features: Mapping[str, Any], training: bool | None = None) -> tf.Tensor:
        """Returns logits (batch, units)."""
        return self._hidden(self._numbers(features), training=training)


class WideAndDeep(keras.Model):
    """The sum of the logits of a linear and a deep model.

    Args:
      wide: The linear model.
      deep: The deep model.
    """

    def __init__(self, wide: Linear, deep: Deep) -> None:
        super().__init__(name="wide_and_deep", autocast=False)
        self._wide, self._deep = wide, deep
        self.built = True

    def call(self, features: Mapping[str, Any], training: bool | None = None) -> tf.Tensor:
        """Returns logits (batch, units)."""
        return self._wide(features) + self._deep(features, training=training)


def _has_ids(column: Any) -> bool:
    return isinstance(column, _columns.FeatureColumn) and hasattr(column, "num_buckets")


def _dense(column: Any, cache: Any, state: Any) -> tf.Tensor:
    """Returns the numbers of a dense column, (batch, n)."""
    with tf.name_scope(_scope(column)):
        tensor = column.get_dense_tensor(cache, state)
        return tf.reshape(tensor, [-1, column.variable_shape.num_elements()])


def _as_matrix(tensor: tf.sparse.SparseTensor) -> tf.sparse.SparseTensor:
    shape = tensor.dense_shape
    return tf.sparse.reshape(tensor, [shape[0], tf.reduce_prod(shape[1:])])


def _scope(column: Any) -> str:
    """Returns the scope of a column's variables. Feature names may have other characters."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", column.name)
