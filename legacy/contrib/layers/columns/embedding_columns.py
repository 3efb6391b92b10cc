"""Feature columns of contrib.layers that turn categories into vectors. See `feature_column`.

words = embedding_column(sparse_column_with_hash_bucket("words", 10000), dimension=16)
"""

from __future__ import annotations

import collections
import math
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.layers import shaping
from legacy.contrib.layers.columns.base import DeepLookup, FeatureColumn
from legacy.contrib.layers.columns.core_columns import DenseColumn
from legacy.contrib.layers.columns.sparse_columns import (
    _SparseColumn,
    _WeightedSparseColumn,
    deep_lookup,
)

tf1 = tf.compat.v1


class _OneHotColumn(
    FeatureColumn, DenseColumn, collections.namedtuple("_OneHotColumn", ["sparse_id_column"])
):
    """Column of one-hot vectors, or multi-hot vectors for examples with several ids."""

    @property
    def name(self) -> str:
        """Name of the column's scope."""
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """Number of ids."""
        return self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        """Parsing specs of the features, by feature name."""
        return self.sparse_id_column.config

    def transform(self, features: dict[Any, Any]) -> Any:
        """Returns ids, with weights if they have any."""
        return self.sparse_id_column.transformed(features)

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self.length])

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns the count of each id, or the sum of its weights."""
        ids = shaping.inner_flatten(self.sparse_id_column.id_tensor(transformed), rank)
        weights = self.sparse_id_column.weight_tensor(transformed)
        if weights is None:
            dense = tf.sparse.to_dense(ids, default_value=-1)
            return tf.reduce_sum(tf.one_hot(dense, self.length), axis=[rank - 1])
        merged = tf1.sparse_merge(ids, weights, self.length)
        # The slice sets a shape that is known to contain all indices.
        merged = tf.sparse.slice(merged, tf.zeros_like(merged.dense_shape), merged.dense_shape)
        dense = tf.sparse.to_dense(merged)
        return tf.reshape(dense, tf.concat([tf.shape(dense)[:-1], [self.length]], 0))


def one_hot_column(sparse_id_column: Any) -> _OneHotColumn:
    """Creates a column of one-hot vectors, for deep models.

    Args:
      sparse_id_column: Categorical column, with or without weights.
    """
    return _OneHotColumn(sparse_id_column)


class _EmbeddingColumn(
    FeatureColumn,
    DenseColumn,
    collections.namedtuple(
        "_EmbeddingColumn",
        [
            "sparse_id_column",
            "dimension",
            "combiner",
            "initializer",
            "ckpt_to_load_from",
            "tensor_name_in_ckpt",
            "shared_embedding_name",
            "shared_vocab_size",
            "max_norm",
            "trainable",
        ],
    ),
):
    """Column of embedding vectors."""

    def __new__(
        cls,
        sparse_id_column: Any,
        dimension: int,
        combiner: str = "mean",
        initializer: Any = None,
        ckpt_to_load_from: str | None = None,
        tensor_name_in_ckpt: str | None = None,
        shared_embedding_name: str | None = None,
        shared_vocab_size: int | None = None,
        max_norm: float | None = None,
        trainable: bool = True,
    ) -> _EmbeddingColumn:
        if initializer is not None and not callable(initializer):
            raise ValueError(
                "initializer must be callable if specified. Embedding of column_name: "
                f"{sparse_id_column.name}"
            )
        check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
        if initializer is None:
            stddev = 1 / math.sqrt(sparse_id_column.length)
            initializer = tf1.truncated_normal_initializer(mean=0.0, stddev=stddev)
        return super().__new__(
            cls,
            sparse_id_column,
            dimension,
            combiner,
            initializer,
            ckpt_to_load_from,
            tensor_name_in_ckpt,
            shared_embedding_name,
            shared_vocab_size,
            max_norm,
            trainable,
        )

    @property
    def name(self) -> str:
        """Name of the column's variable scope."""
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self) -> int:
        """Number of ids."""
        return self.shared_vocab_size or self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        """Parsing specs of the features, by feature name."""
        return self.sparse_id_column.config

    @property
    def key(self) -> str:
        """Sort key of the column."""
        return self.key_without("initializer")

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """Checkpoint path and variable name that initialize the vectors, or None."""
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def transform(self, features: dict[Any, Any]) -> Any:
        """Returns ids, with weights if they have any."""
        return self.sparse_id_column.transformed(features)

    def deep_lookup(self, transformed: Any) -> DeepLookup:
        """Returns the ids and weights that the embedding looks up."""
        return deep_lookup(self.sparse_id_column, transformed)

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self.dimension])

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Sequence[str] | None = None, trainable: Any = None
    ) -> tf.Tensor:
        from legacy.contrib.layers.columns import layers  # It imports this module.

        return layers.part_of_input(self, inputs.get(self), 2, weight_collections, trainable)

    def wide_lookup(self, transformed: Any) -> Any:
        """Raises an error, because linear models do not support embeddings.

        Raises:
          ValueError: Always.
        """
        raise ValueError(
            f"Column {self} is not supported in linear models. Please use sparse_column."
        )


def check_checkpoint(checkpoint: str | None, tensor_name: str | None) -> None:
    """Raises an error unless both arguments are None or neither is.

    Raises:
      ValueError: Only one argument is None.
    """
    if (checkpoint is None) != (tensor_name is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )


def embedding_column(
    sparse_id_column: Any,
    dimension: int,
    combiner: str = "mean",
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> _EmbeddingColumn:
    """Creates a column of embedding vectors, for deep models.

    Args:
      sparse_id_column: Categorical column, with or without weights.
      dimension: Size of each vector.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      initializer: Initializer of the vectors. The default is a truncated normal distribution with
        standard deviation 1 / sqrt(number of ids).
      ckpt_to_load_from: Checkpoint that the vectors are initialized from.
      tensor_name_in_ckpt: Name of the variable in the checkpoint.
      max_norm: Largest L2 norm of a vector. Longer vectors are clipped.
      trainable: If true, the vectors are trainable.

    Raises:
      ValueError: The initializer is not callable, or only one of `ckpt_to_load_from` and
        `tensor_name_in_ckpt` is specified.
    """
    return _EmbeddingColumn(
        sparse_id_column,
        dimension,
        combiner,
        initializer,
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        max_norm=max_norm,
        trainable=trainable,
    )


def shared_embedding_columns(
    sparse_id_columns: Sequence[Any],
    dimension: int,
    combiner: str = "mean",
    shared_embedding_name: str | None = None,
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> Any:
    """Creates embedding columns that share their vectors, for deep models.

    Args:
      sparse_id_columns: Categorical columns with the same ids.
      dimension: Size of each vector.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      shared_embedding_name: Name of the shared vectors. The default is built from the names of the
        columns.
      initializer: Initializer of the vectors. See `embedding_column`.
      ckpt_to_load_from: Checkpoint that the vectors are initialized from.
      tensor_name_in_ckpt: Name of the variable in the checkpoint.
      max_norm: Largest L2 norm of a vector. Longer vectors are clipped.
      trainable: If true, the vectors are trainable.

    Returns:
      A tuple of columns, or a list if `sparse_id_columns` has only one element.

    Raises:
      TypeError: `sparse_id_columns` is not a sequence of categorical columns.
      ValueError: The sequence is empty, or the columns do not have the same ids.
    """
    if not isinstance(sparse_id_columns, Sequence) or isinstance(sparse_id_columns, str):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type "
            f"{type(sparse_id_columns)}."
        )
    if not sparse_id_columns:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in sparse_id_columns:
        if not isinstance(column, (_SparseColumn, _WeightedSparseColumn)):
            raise TypeError(
                "Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but "
                f"{column} is not."
            )
    first_column, *other_columns = sparse_id_columns
    if other_columns:
        is_weighted = isinstance(first_column, _WeightedSparseColumn)
        if not all(
            first_column.is_compatible(column)
            if is_weighted
            else column.is_compatible(first_column)
            for column in other_columns
        ):
            raise ValueError("The input sparse id columns are not compatible.")
        shared_embedding_name = shared_embedding_name or _shared_name(sparse_id_columns)
    columns = [
        _EmbeddingColumn(
            column,
            dimension,
            combiner,
            initializer,
            ckpt_to_load_from,
            tensor_name_in_ckpt,
            shared_embedding_name,
            first_column.length if other_columns else None,
            max_norm=max_norm,
            trainable=trainable,
        )
        for column in sparse_id_columns
    ]
    return tuple(columns) if other_columns else columns


def _shared_name(columns: Sequence[Any]) -> str:
    plain_columns = sorted(column for column in columns if isinstance(column, _SparseColumn))
    weighted_columns = [column for column in columns if not isinstance(column, _SparseColumn)]
    in_order = plain_columns + sorted(weighted_columns, key=lambda column: column.name)
    name = "_".join(column.name for column in in_order[:3])
    if len(in_order) > 3:
        name += f"_plus_{len(in_order) - 3}_others"
    return f"{name}_shared_embedding"
