"""What the feature columns of contrib.layers have in common; see `feature_column`.

lookup = column.wide_lookup(column.transformed(features))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from legacy.contrib.layers import shaping

tf1 = tf.compat.v1


class WideLookup(NamedTuple):
    """What a linear model looks up for a column: a row of weights for each id."""

    ids: tf.SparseTensor
    weights: tf.SparseTensor | None
    size: int
    combiner: str


class DeepLookup(NamedTuple):
    """What a deep model looks up for a column: an embedding for each id."""

    ids: tf.SparseTensor
    weights: tf.SparseTensor | None


class FeatureColumn:
    """A feature column.

    Columns are named tuples. Their `key`, by which layers put them in order, is what they print;
    so the names of classes and fields decide which weights of a checkpoint belong to which column.
    """

    @property
    def name(self) -> str:
        """The name of its variables' scope."""
        raise NotImplementedError

    @property
    def config(self) -> dict[str, Any]:
        """How its features are parsed: `tf.io.FixedLenFeature` and the like, by name."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """What it is sorted by."""
        return str(self)

    def key_without(self, *names: str) -> str:
        """Returns a key that says nothing of some fields."""
        fields = zip(self._fields, self, strict=True)
        shown = ", ".join(f"{name}={value}" for name, value in fields if name not in names)
        return f"{type(self).__name__}({shown})"

    def transform(self, features: dict[Any, Any]) -> Any:
        """Returns what the layers need of the features.

        Args:
          features: Features by name; what columns have made of them by column.
        """
        raise NotImplementedError

    def transformed(self, features: dict[Any, Any]) -> Any:
        """Returns `transform` of the features, made once and kept in them."""
        if self not in features:
            features[self] = self.transform(features)
        return features[self]

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds what the layers need to the features."""
        columns_to_tensors[self] = self.transform(columns_to_tensors)

    def wide_lookup(self, transformed: Any) -> WideLookup | None:
        """Returns what a linear model looks up; None where it multiplies.

        Raises:
          ValueError: The column is not for linear models.
        """
        return None

    def deep_lookup(self, transformed: Any) -> DeepLookup | None:
        """Returns what a deep model looks up; None where it takes `deep_input`."""
        return None

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns the input of a deep model.

        Args:
          transformed: What `transform` made.
          rank: 2, or 3 for sequences.

        Raises:
          ValueError: The column is not for deep models.
        """
        raise ValueError(f"{type(self).__name__} is not supported in DNN: {self.name}")

    def dense(self, transformed: Any) -> tf.Tensor:
        """Returns what a linear model multiplies."""
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """The checkpoint and the name in it that its weights begin with."""
        return None


def feature_of(features: dict[Any, Any], name: str) -> Any:
    """Returns a feature.

    Raises:
      ValueError: There is none of that name.
    """
    if name not in features:
        raise ValueError(f"features dictionary doesn't contain key ({name})")
    return features[name]


def of_rank(tensor: Any, rank: int, name: str) -> Any:
    """Returns a feature with a number of dimensions: one more, of size 1, or the last ones as one.

    Args:
      tensor: A tensor or SparseTensor.
      rank: The number.
      name: The column's name, for errors.

    Raises:
      ValueError: It has too few dimensions.
    """
    known = tensor.shape.rank
    if known is None and isinstance(tensor, tf.SparseTensor):
        known = tensor.dense_shape.shape.as_list()[0]
    if known is None:
        return shaping.inner_flatten(tensor, rank)
    if rank > known + 1:
        raise ValueError(
            f"Error while processing column {name}. Rank of input Tensor ({known}) should be the "
            f"same as output_rank ({rank}). For example, sequence data should typically be 3 "
            "dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
        )
    if rank == known:
        return tensor
    if rank < known:
        return shaping.inner_flatten(tensor, rank)
    if isinstance(tensor, tf.SparseTensor):
        return tf.sparse.reshape(tensor, tf.concat([tensor.dense_shape, [1]], 0))
    return tf.expand_dims(tensor, -1)
