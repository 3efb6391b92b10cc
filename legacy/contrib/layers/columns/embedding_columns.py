"""Feature columns that make vectors of categories: contrib.layers's; see `feature_column`.

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
    """A column of zeros, and ones at the places of ids."""

    @property
    def name(self) -> str:
        """The name of its scope."""
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """The number of ids."""
        return self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        """How the features are parsed."""
        return self.sparse_id_column.config

    def transform(self, features: dict[Any, Any]) -> Any:
        """Returns ids, with weights if they have any."""
        return self.sparse_id_column.transformed(features)

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self.length])

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns how often each id is there, or the sum of its weights."""
        ids = shaping.inner_flatten(self.sparse_id_column.id_tensor(transformed), rank)
        weights = self.sparse_id_column.weight_tensor(transformed)
        if weights is None:
            dense = tf.sparse.to_dense(ids, default_value=-1)
            return tf.reduce_sum(tf.one_hot(dense, self.length), axis=[rank - 1])
        merged = tf1.sparse_merge(ids, weights, self.length)
        # As it stands, its shape is not known to hold all that is in it.
        merged = tf.sparse.slice(merged, tf.zeros_like(merged.dense_shape), merged.dense_shape)
        dense = tf.sparse.to_dense(merged)
        return tf.reshape(dense, tf.concat([tf.shape(dense)[:-1], [self.length]], 0))


def one_hot_column(sparse_id_column: Any) -> _OneHotColumn:
    """Makes a column of zeros, and ones at the places of ids, for deep models.

    Args:
      sparse_id_column: A column of ids, with or without weights.
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
    """A column of vectors for ids."""

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
        """The name of its variables' scope."""
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self) -> int:
        """The number of ids."""
        return self.shared_vocab_size or self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        """How the features are parsed."""
        return self.sparse_id_column.config

    @property
    def key(self) -> str:
        """What it is sorted by."""
        return self.key_without("initializer")

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """The checkpoint and the name in it that the vectors begin with."""
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def transform(self, features: dict[Any, Any]) -> Any:
        """Returns ids, with weights if they have any."""
        return self.sparse_id_column.transformed(features)

    def deep_lookup(self, transformed: Any) -> DeepLookup:
        """Returns what is looked up."""
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
        """Refuses.

        Raises:
          ValueError: Always: it is for deep models.
        """
        raise ValueError(
            f"Column {self} is not supported in linear models. Please use sparse_column."
        )


def check_checkpoint(checkpoint: str | None, tensor_name: str | None) -> None:
    """Checks that both are given, or none.

    Raises:
      ValueError: One is.
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
    """Makes a column of vectors for ids, for deep models.

    Args:
      sparse_id_column: A column of ids, with or without weights.
      dimension: The size of a vector.
      combiner: How several ids of an example are combined: "sum", "mean" or "sqrtn".
      initializer: First vectors; None is normal, of standard deviation 1 / sqrt(number of ids).
      ckpt_to_load_from: A checkpoint that vectors begin with.
      tensor_name_in_ckpt: Their name in it.
      max_norm: The largest norm of a vector.
      trainable: Whether vectors are trained.

    Raises:
      ValueError: The initializer is none, or of checkpoint and name one is missing.
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
    """Makes columns whose ids have the same vectors; arguments as of `embedding_column`.

    Args:
      sparse_id_columns: The columns of ids.
      dimension: The size of a vector.
      combiner: How several ids of an example are combined.
      shared_embedding_name: The vectors' name; None is made of the columns' names.
      initializer: First vectors.
      ckpt_to_load_from: A checkpoint that vectors begin with.
      tensor_name_in_ckpt: Their name in it.
      max_norm: The largest norm of a vector.
      trainable: Whether vectors are trained.

    Returns:
      The columns: a tuple, or of one column a list.

    Raises:
      TypeError: `sparse_id_columns` is no list, or of something else.
      ValueError: It is empty, or the columns do not have the same ids.
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
    first, *others = sparse_id_columns
    if others:
        weighted = isinstance(first, _WeightedSparseColumn)
        if not all(
            first.is_compatible(each) if weighted else each.is_compatible(first) for each in others
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
            first.length if others else None,
            max_norm=max_norm,
            trainable=trainable,
        )
        for column in sparse_id_columns
    ]
    return tuple(columns) if others else columns


def _shared_name(columns: Sequence[Any]) -> str:
    plain = sorted(each for each in columns if isinstance(each, _SparseColumn))
    weighted = [each for each in columns if not isinstance(each, _SparseColumn)]
    in_order = plain + sorted(weighted, key=lambda column: column.name)
    name = "_".join(column.name for column in in_order[:3])
    if len(in_order) > 3:
        name += f"_plus_{len(in_order) - 3}_others"
    return f"{name}_shared_embedding"
