"""The linear model for feature columns: the logits are the sum of the columns' weighted values.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     model = LinearModel([tf.feature_column.numeric_column("age")])
...     logits = model({"age": tf.constant([[30.0], [40.0]])})
...     [variable.name for variable in model.weights]
['linear_model/age/weights:0', 'linear_model/bias_weights:0']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.canned import feature_columns as columns_lib

tf1 = tf.compat.v1


class LinearModelLayer(tf_keras.layers.Layer):
    """The layer of `LinearModel`, from a dict of features to logits of shape [batch_size, units].

    For each unit, a categorical column has one weight per id, and a dense column has one weight per
    value. The variables are created by `tf.compat.v1.get_variable`, so the partitioner and the
    reuse of a variable scope apply to them. Their names are NAME/COLUMN/weights and
    NAME/bias_weights.

    Args:
      feature_columns: v2 feature columns, dense or categorical.
      units: Number of logits.
      sparse_combiner: Combiner for the weights of several ids in one example: "sum", "mean" or
        "sqrtn".
      trainable: If true, the variables are trainable.
      name: Scope of the variables.
      **kwargs: Arguments of `tf.keras.layers.Layer`.

    Raises:
      ValueError: If a column is of another kind, or if two columns have the same name.
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        units: int = 1,
        sparse_combiner: str = "sum",
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_columns = columns_lib.by_name(feature_columns)
        for column in self._feature_columns:
            if not columns_lib.is_categorical(column) and not isinstance(
                column, columns_lib.DenseColumn
            ):
                raise ValueError(
                    "Items of feature_columns must be either a DenseColumn or CategoricalColumn. "
                    f"Given: {column}"
                )
        self._units = units
        self._sparse_combiner = sparse_combiner
        self.state_manager = tf.__internal__.feature_column.StateManager(self, self.trainable)
        self.bias = None

    def build(self, input_shape: Any) -> None:
        """Creates the variables.

        Args:
          input_shape: Not used.
        """
        # Without auxiliary name scopes, this renames only the variables, not the operations.
        with tf1.variable_scope(self.name, auxiliary_name_scope=False):
            for column in self._feature_columns:
                scope = columns_lib.scope_name(column)
                with tf1.variable_scope(scope, auxiliary_name_scope=False):
                    column.create_state(self.state_manager)
                    self.state_manager.create_variable(
                        column,
                        name="weights",
                        dtype=tf.float32,
                        shape=(_size(column), self._units),
                        initializer=tf_keras.initializers.zeros(),
                        trainable=self.trainable,
                    )
            self.bias = self.add_weight(
                name="bias_weights",
                dtype=tf.float32,
                shape=[self._units],
                initializer=tf_keras.initializers.zeros(),
                trainable=self.trainable,
                use_resource=True,
                getter=tf1.get_variable,
            )
        super().build(input_shape)

    def call(self, features: dict[str, Any]) -> tf.Tensor:
        """Returns the logits.

        Args:
          features: Dict of tensors or sparse tensors by name. The first dimension is the batch.

        Returns:
          A float32 tensor of shape [batch_size, units].

        Raises:
          ValueError: If features are not a dict, or if their batch sizes differ.
        """
        if not isinstance(features, dict):
            raise ValueError(f"We expected a dictionary here. Instead we got: {features}")
        cache = tf.__internal__.feature_column.FeatureTransformationCache(features)
        sums = []
        for column in self._feature_columns:
            with tf.name_scope(columns_lib.scope_name(column)):
                sums.append(self._weighted_sum(column, cache))
        columns_lib.check_batch_sizes(sums, self._feature_columns)
        return tf.nn.bias_add(
            tf.add_n(sums, name="weighted_sum_no_bias"), self.bias, name="weighted_sum"
        )

    def _weighted_sum(self, column: Any, cache: Any) -> tf.Tensor:
        """Returns the part of the logits that a column contributes, [batch_size, units]."""
        weights = self.state_manager.get_variable(column, "weights")
        if not columns_lib.is_categorical(column):
            tensor = column.get_dense_tensor(cache, self.state_manager)
            tensor = tf.reshape(tensor, [tf.shape(tensor)[0], _size(column)])
            return tf.matmul(tensor, weights, name="weighted_sum")
        ids, factors = column.get_sparse_tensors(cache, self.state_manager)
        return tf1.nn.safe_embedding_lookup_sparse(
            weights,
            _as_matrix(ids),
            None if factors is None else _as_matrix(factors),
            combiner=self._sparse_combiner,
            name="weighted_sum",
        )

    def get_config(self) -> dict[str, Any]:
        """Returns the configuration for `from_config`."""
        return {
            **super().get_config(),
            "feature_columns": columns_lib.serialized(self._feature_columns),
            "units": self._units,
            "sparse_combiner": self._sparse_combiner,
        }

    @classmethod
    def from_config(
        cls, config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> LinearModelLayer:
        """Creates a layer from its configuration.

        Args:
          config: Configuration from `get_config`.
          custom_objects: Objects by name that the configuration refers to and Keras does not know.
        """
        columns = columns_lib.deserialized(config["feature_columns"], custom_objects)
        return cls(**{**config, "feature_columns": columns})

    @property
    def partitioned_weights(self) -> list[Any]:
        """The variables except the bias. Partitions count as separate variables."""
        bias = [self.bias] if isinstance(self.bias, tf.Variable) else list(self.bias)
        return [weight for weight in self.weights if all(weight is not part for part in bias)]


class LinearModel(tf_keras.Model):
    """A linear model as a Keras model, which also supports `compile` and `fit`.

    Args:
      feature_columns: v2 feature columns. See `LinearModelLayer`.
      units: Number of logits.
      sparse_combiner: Combiner of ids. See `LinearModelLayer`.
      trainable: If true, the variables are trainable.
      name: Scope of the variables. Defaults to linear_model, linear_model_1, ...
      **kwargs: Arguments of `tf.keras.Model`.

    Attributes:
      layer: The `LinearModelLayer`.

    Raises:
      ValueError: If a column is of another kind, or if two columns have the same name.
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        units: int = 1,
        sparse_combiner: str = "sum",
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.layer = LinearModelLayer(
            feature_columns, units, sparse_combiner, trainable, name=self.name
        )

    def call(self, features: dict[str, Any]) -> tf.Tensor:
        """Returns the logits. See `LinearModelLayer.call`."""
        return self.layer(features)

    @property
    def bias(self) -> Any:
        """Variable of shape [units], or None before the first call of the model."""
        return self.layer.bias


def _size(column: Any) -> int:
    """Returns the number of weights per unit of a column."""
    if columns_lib.is_categorical(column):
        return column.num_buckets
    return column.variable_shape.num_elements()


def _as_matrix(tensor: tf.sparse.SparseTensor) -> tf.sparse.SparseTensor:
    """Reshapes a sparse tensor to [batch_size, rest]."""
    shape = tensor.dense_shape
    return tf.sparse.reshape(tensor, [shape[0], tf.reduce_prod(shape[1:])])
