"""Categorical feature columns of contrib.layers. See `feature_column`.

department = sparse_column_with_keys("department", ["math", "philosophy", "english"])
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib import lookup
from legacy.contrib.layers.columns import embedding_ops
from legacy.contrib.layers.columns.base import (
    DeepLookup,
    FeatureColumn,
    WideLookup,
    feature_of,
    of_rank,
)
from legacy.contrib.layers.columns.core_columns import CategoricalColumn

tf1 = tf.compat.v1


class _SparseIdLookupConfig(
    collections.namedtuple(
        "_SparseIdLookupConfig",
        ["vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"],
    )
):
    """Lookup that turns values into ids: a vocabulary file or a tuple of keys."""

    def __new__(
        cls,
        vocabulary_file: str | None = None,
        keys: tuple[Any, ...] | None = None,
        num_oov_buckets: int = 0,
        vocab_size: int | None = None,
        default_value: int = -1,
    ) -> _SparseIdLookupConfig:
        return super().__new__(
            cls, vocabulary_file, keys, num_oov_buckets, vocab_size, default_value
        )


class _SparseColumn(
    FeatureColumn,
    CategoricalColumn,
    collections.namedtuple(
        "_SparseColumn",
        ["column_name", "is_integerized", "bucket_size", "lookup_config", "combiner", "dtype"],
    ),
):
    """Column whose values become ids."""

    def __new__(
        cls,
        column_name: str,
        is_integerized: bool = False,
        bucket_size: int | None = None,
        lookup_config: Any = None,
        combiner: str = "sum",
        dtype: Any = tf.string,
    ) -> _SparseColumn:
        _check(column_name, is_integerized, bucket_size, lookup_config, dtype)
        return super().__new__(
            cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype
        )

    @property
    def name(self) -> str:
        """Name of the feature."""
        return self.column_name

    @property
    def length(self) -> int:
        """Number of ids."""
        if self.bucket_size is not None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    @property
    def config(self) -> dict[str, Any]:
        """Parsing spec of the feature."""
        return {self.column_name: tf.io.VarLenFeature(self.dtype)}

    def id_tensor(self, transformed: Any) -> tf.SparseTensor:
        """Returns the ids."""
        return transformed

    def weight_tensor(self, transformed: Any) -> tf.SparseTensor | None:
        """Returns None: the ids have no weights."""
        return None

    def transform(self, features: dict[Any, Any]) -> tf.SparseTensor:
        """Returns the ids of the feature's values."""
        values = feature_of(features, self.name)
        if not isinstance(values, tf.SparseTensor):
            # In a dense feature, "" and -1 stand for missing values.
            missing = "" if values.dtype == tf.string else -1
            values = embedding_ops.dense_to_sparse_tensor(of_rank(values, 2, self.name), missing)
        return self._ids(values)

    def wide_lookup(self, transformed: Any) -> WideLookup:
        """Returns the ids and weights that a linear model looks up."""
        return WideLookup(transformed, None, self.length, self.combiner)

    def is_compatible(self, other: Any) -> bool:
        """Returns True if both columns have the same ids, so that they can share an embedding."""
        if self.lookup_config and other.lookup_config:
            return self.lookup_config == other.lookup_config
        integers = self.dtype.is_integer and other.dtype.is_integer
        compatible = self.length == other.length and (self.dtype == other.dtype or integers)
        if compatible:
            tf1.logging.warning(
                "Column %s and %s may not have the same vocabulary.", self.name, other.name
            )
        return compatible

    def _ids(self, values: tf.SparseTensor) -> tf.SparseTensor:
        raise NotImplementedError


def _check(name: str, is_integerized: bool, size: Any, config: Any, dtype: Any) -> None:
    if is_integerized and size is None:
        raise ValueError(f"bucket_size must be set if is_integerized is True. column_name: {name}")
    if is_integerized and not dtype.is_integer:
        raise ValueError(
            "dtype must be an integer if is_integerized is True. "
            f"dtype: {dtype}, column_name: {name}."
        )
    if dtype != tf.string and not dtype.is_integer:
        raise ValueError(f"dtype must be string or integer. dtype: {dtype}, column_name: {name}")
    if (size is None) == (config is None):
        quantity = "one" if size is None else "one and only one"
        raise ValueError(
            f"{quantity} of bucket_size or lookup_config must be set. column_name: {name}"
        )
    if size is not None and size < 1:
        raise ValueError(
            f"bucket_size must be at least 1. bucket_size: {size}, column_name: {name}"
        )


class _SparseColumnIntegerized(_SparseColumn):
    """Column whose values are ids. They are taken modulo the number of ids."""

    def _ids(self, values: tf.SparseTensor) -> tf.SparseTensor:
        return values.with_values(tf.math.mod(values.values, self.bucket_size, name="mod"))


class _SparseColumnHashed(_SparseColumn):
    """Column whose values are hashed to ids."""

    def __new__(
        cls, column_name: str, *args: Any, hash_keys: Any = None, **kwargs: Any
    ) -> _SparseColumnHashed:
        if hash_keys is not None:
            if not isinstance(hash_keys, list) or not hash_keys:
                raise ValueError("hash_keys must be a non-empty list.")
            if not all(_is_pair(key) for key in hash_keys):
                raise ValueError("Each element of hash_keys must be a pair of integers.")
        column = super().__new__(cls, column_name, *args, **kwargs)
        # Not a field of the named tuple, and so not part of the column's key.
        column.hash_keys = hash_keys
        return column

    def _ids(self, values: tf.SparseTensor) -> tf.SparseTensor:
        texts = tf.as_string(values.values) if self.dtype.is_integer else values.values
        if not self.hash_keys:
            ids = tf.strings.to_hash_bucket_fast(texts, self.bucket_size, name="lookup")
            return values.with_values(ids)
        ids = [
            values.with_values(tf.strings.to_hash_bucket_strong(texts, self.bucket_size, key))
            for key in self.hash_keys
        ]
        return tf.sparse.concat(1, ids, name="lookup")


def _is_pair(key: Any) -> bool:
    return (
        isinstance(key, list) and len(key) == 2 and all(isinstance(number, int) for number in key)
    )


class _SparseColumnKeys(_SparseColumn):
    """Column of known values. A value's id is its index in the list of keys."""

    def _ids(self, values: tf.SparseTensor) -> tf.SparseTensor:
        table = lookup.index_table_from_tensor(
            mapping=tuple(self.lookup_config.keys),
            default_value=self.lookup_config.default_value,
            dtype=self.dtype,
            name="lookup",
        )
        return table.lookup(values)


class _SparseColumnVocabulary(_SparseColumn):
    """Column of values from a vocabulary file. A value's id is its line number, from 0 on."""

    def _ids(self, values: tf.SparseTensor) -> tf.SparseTensor:
        if self.dtype.is_integer:
            values = values.with_values(tf.as_string(values.values))
        table = lookup.index_table_from_file(
            vocabulary_file=self.lookup_config.vocabulary_file,
            num_oov_buckets=self.lookup_config.num_oov_buckets,
            vocab_size=self.lookup_config.vocab_size,
            default_value=self.lookup_config.default_value,
            name=f"{self.name}_lookup",
        )
        return table.lookup(values)


def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: Any = tf.int64
) -> _SparseColumn:
    """Creates a column whose values are ids.

    Args:
      column_name: Name of the feature.
      bucket_size: Number of ids. Larger ids are taken modulo this number.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      dtype: Type of the feature, an integer type.

    Raises:
      ValueError: `bucket_size` is less than 1, or `dtype` is not an integer type.
    """
    return _SparseColumnIntegerized(column_name, True, bucket_size, None, combiner, dtype)


def sparse_column_with_hash_bucket(
    column_name: str,
    hash_bucket_size: int,
    combiner: str = "sum",
    dtype: Any = tf.string,
    hash_keys: list[list[int]] | None = None,
) -> _SparseColumn:
    """Creates a column whose values are hashed to ids.

    Args:
      column_name: Name of the feature.
      hash_bucket_size: Number of ids.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      dtype: Type of the feature: string or an integer type.
      hash_keys: Pairs of integers. A value gets an id for each pair.

    Raises:
      ValueError: `hash_bucket_size` is less than 1, the type is unsupported, or `hash_keys` is not
        a list of pairs.
    """
    return _SparseColumnHashed(
        column_name,
        bucket_size=hash_bucket_size,
        combiner=combiner,
        dtype=dtype,
        hash_keys=hash_keys,
    )


def sparse_column_with_keys(
    column_name: str,
    keys: Iterable[Any],
    default_value: int = -1,
    combiner: str = "sum",
    dtype: Any = tf.string,
) -> _SparseColumn:
    """Creates a column of known values.

    Args:
      column_name: Name of the feature.
      keys: Known values, in the order of their ids.
      default_value: Id of unknown values. Negative ids are ignored.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      dtype: Type of the feature: string or an integer type.

    Raises:
      ValueError: The type is unsupported.
    """
    keys = tuple(keys)
    config = _SparseIdLookupConfig(keys=keys, vocab_size=len(keys), default_value=default_value)
    return _SparseColumnKeys(column_name, lookup_config=config, combiner=combiner, dtype=dtype)


def sparse_column_with_vocabulary_file(
    column_name: str,
    vocabulary_file: str,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    combiner: str = "sum",
    dtype: Any = tf.string,
) -> _SparseColumn:
    """Creates a column of values from a vocabulary file.

    Args:
      column_name: Name of the feature.
      vocabulary_file: File with one value per line, in the order of their ids.
      num_oov_buckets: Number of ids for unknown values, which are hashed.
      vocab_size: Number of lines of the file to use.
      default_value: Id of unknown values if `num_oov_buckets` is 0.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      dtype: Type of the feature: string or an integer type.

    Raises:
      ValueError: `vocab_size` is missing, or the type is unsupported.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    config = _SparseIdLookupConfig(
        vocabulary_file=vocabulary_file,
        num_oov_buckets=num_oov_buckets,
        vocab_size=vocab_size,
        default_value=default_value,
    )
    return _SparseColumnVocabulary(
        column_name, lookup_config=config, combiner=combiner, dtype=dtype
    )


class _WeightedSparseColumn(
    FeatureColumn,
    CategoricalColumn,
    collections.namedtuple(
        "_WeightedSparseColumn", ["sparse_id_column", "weight_column_name", "dtype"]
    ),
):
    """Column whose ids have weights."""

    @property
    def name(self) -> str:
        """Name of the column's variable scope."""
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def length(self) -> int:
        """Number of ids."""
        return self.sparse_id_column.length

    @property
    def lookup_config(self) -> Any:
        """Lookup that turns values into ids, or None."""
        return self.sparse_id_column.lookup_config

    @property
    def config(self) -> dict[str, Any]:
        """Parsing specs of both features, by feature name."""
        weights = {self.weight_column_name: tf.io.VarLenFeature(self.dtype)}
        return {**self.sparse_id_column.config, **weights}

    def id_tensor(self, transformed: Any) -> tf.SparseTensor:
        """Returns the ids."""
        return transformed[0]

    def weight_tensor(self, transformed: Any) -> tf.SparseTensor:
        """Returns the weights of the ids."""
        return transformed[1]

    def transform(self, features: dict[Any, Any]) -> tuple[tf.SparseTensor, tf.SparseTensor]:
        """Returns the ids and their weights."""
        weights = feature_of(features, self.weight_column_name)
        if not isinstance(weights, tf.SparseTensor):
            weights = embedding_ops.dense_to_sparse_tensor(weights)
        if not self.dtype.is_floating:
            weights = tf.cast(weights, tf.float32)
        return self.sparse_id_column.transformed(features), weights

    def wide_lookup(self, transformed: Any) -> WideLookup:
        """Returns the ids and weights that a linear model looks up."""
        return WideLookup(*transformed, self.length, self.sparse_id_column.combiner)

    def is_compatible(self, other: Any) -> bool:
        """Returns True if both columns have the same ids, so that they can share an embedding."""
        if isinstance(other, _WeightedSparseColumn):
            other = other.sparse_id_column
        return self.sparse_id_column.is_compatible(other)


def weighted_sparse_column(
    sparse_id_column: _SparseColumn, weight_column_name: str, dtype: Any = tf.float32
) -> _WeightedSparseColumn:
    """Creates a column that adds weights to the ids of another column.

    Args:
      sparse_id_column: Column of the ids.
      weight_column_name: Name of the feature that holds the weights.
      dtype: Type of the weights, a numeric type.

    Raises:
      ValueError: The type is not numeric.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


def deep_lookup(column: Any, transformed: Any) -> DeepLookup:
    """Returns the ids and weights that an embedding of a column looks up."""
    return DeepLookup(column.id_tensor(transformed), column.weight_tensor(transformed))
