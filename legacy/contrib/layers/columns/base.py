"""Base class of the feature columns of contrib.layers. See `feature_column`.

lookup = column.wide_lookup(column.transformed(features))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from legacy.contrib.layers import shaping

tf1 = tf.compat.v1


class WideLookup(NamedTuple):
    """Ids of a column, for each of which a linear model looks up a row of weights."""

    ids: tf.SparseTensor
    weights: tf.SparseTensor | None
    size: int
    combiner: str


class DeepLookup(NamedTuple):
    """Ids of a column, for each of which a deep model looks up an embedding."""

    ids: tf.SparseTensor
    weights: tf.SparseTensor | None


class FeatureColumn:
    """Base class of the feature columns.

    Columns are named tuples. Layers sort them by `key`, which is their string representation. The
    names of classes and fields therefore decide which weights of a checkpoint belong to which
    column.
    """

    @property
    def name(self) -> str:
        """Name of the column's variable scope."""
        raise NotImplementedError

    @property
    def config(self) -> dict[str, Any]:
        """Parsing specs of the features, such as `tf.io.FixedLenFeature`, by feature name."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """Sort key of the column."""
        return str(self)

    def key_without(self, *names: str) -> str:
        """Returns a sort key that omits some fields, such as functions whose repr is an address."""
        fields = zip(self._fields, self, strict=True)
        text = ", ".join(f"{name}={value}" for name, value in fields if name not in names)
        return f"{type(self).__name__}({text})"

    def transform(self, features: dict[Any, Any]) -> Any:
        """Returns the column's transformation of the features, such as ids.

        Args:
          features: Features by name, and results of earlier transformations by column.
        """
        raise NotImplementedError

    def transformed(self, features: dict[Any, Any]) -> Any:
        """Returns the result of `transform`, which is cached in the features."""
        if self not in features:
            features[self] = self.transform(features)
        return features[self]

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the result of `transform` to the features."""
        columns_to_tensors[self] = self.transform(columns_to_tensors)

    def wide_lookup(self, transformed: Any) -> WideLookup | None:
        """Returns the ids that a linear model looks up, or None if it multiplies `dense`.

        Raises:
          ValueError: Linear models do not support the column.
        """
        return None

    def deep_lookup(self, transformed: Any) -> DeepLookup | None:
        """Returns the ids that a deep model looks up, or None if it uses `deep_input`."""
        return None

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns the column's part of the input of a deep model.

        Args:
          transformed: Result of `transform`.
          rank: Rank of the input: 2, or 3 for sequences.

        Raises:
          ValueError: Deep models do not support the column.
        """
        raise ValueError(f"{type(self).__name__} is not supported in DNN: {self.name}")

    def dense(self, transformed: Any) -> tf.Tensor:
        """Returns the tensor that a linear model multiplies by weights."""
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """Checkpoint path and variable name that initialize the weights, or None."""
        return None


def feature_of(features: dict[Any, Any], name: str) -> Any:
    """Returns the feature with a certain name.

    Raises:
      ValueError: No feature has this name.
    """
    if name not in features:
        raise ValueError(f"features dictionary doesn't contain key ({name})")
    return features[name]


def of_rank(tensor: Any, rank: int, name: str) -> Any:
    """Adds a dimension of size 1, or flattens the last dimensions, to reach a certain rank.

    Args:
      tensor: Tensor or SparseTensor.
      rank: Rank of the result.
      name: Name of the column, for error messages.

    Raises:
      ValueError: The rank of the tensor is more than 1 below `rank`.
    """
    ndims = tensor.shape.rank
    if ndims is None and isinstance(tensor, tf.SparseTensor):
        ndims = tensor.dense_shape.shape.as_list()[0]
    if ndims is None:
        return shaping.inner_flatten(tensor, rank)
    if rank > ndims + 1:
        raise ValueError(
            f"Error while processing column {name}. Rank of input Tensor ({ndims}) should be the "
            f"same as output_rank ({rank}). For example, sequence data should typically be 3 "
            "dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
        )
    if rank == ndims:
        return tensor
    if rank < ndims:
        return shaping.inner_flatten(tensor, rank)
    if isinstance(tensor, tf.SparseTensor):
        return tf.sparse.reshape(tensor, tf.concat([tensor.dense_shape, [1]], 0))
    return tf.expand_dims(tensor, -1)
