"""Feature columns of numbers, and their crossings with others: contrib.layers's.

age = real_valued_column("age")
ages = bucketized_column(age, boundaries=[18, 30, 50])
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.layers.columns import sparse_feature_cross
from legacy.contrib.layers.columns.base import FeatureColumn, WideLookup, feature_of, of_rank
from legacy.contrib.layers.columns.core_columns import CategoricalColumn, DenseColumn
from legacy.contrib.layers.columns.embedding_columns import check_checkpoint
from legacy.contrib.layers.columns.sparse_columns import _SparseColumn

tf1 = tf.compat.v1


class _RealValuedColumn(
    FeatureColumn,
    DenseColumn,
    collections.namedtuple(
        "_RealValuedColumn", ["column_name", "dimension", "default_value", "dtype", "normalizer"]
    ),
):
    """A column of numbers."""

    @property
    def name(self) -> str:
        """The feature's name."""
        return self.column_name

    @property
    def config(self) -> dict[str, Any]:
        """How the feature is parsed."""
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: tf.io.FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def key(self) -> str:
        """What it is sorted by."""
        return self.key_without("normalizer")

    @property
    def normalizer_fn(self) -> Callable[[Any], Any] | None:
        """What is applied to the feature."""
        return self.normalizer

    def transform(self, features: dict[Any, Any]) -> tf.Tensor:
        """Returns the normalized feature as float32."""
        values = feature_of(features, self.name)
        return tf.cast(self.normalizer(values) if self.normalizer else values, tf.float32)

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self.dimension])

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns the numbers."""
        return of_rank(tf.cast(transformed, tf.float32), rank, self.name)

    def dense(self, transformed: Any) -> tf.Tensor:
        """Returns the numbers."""
        return transformed


def real_valued_column(
    column_name: str,
    dimension: int = 1,
    default_value: Any = None,
    dtype: Any = tf.float32,
    normalizer: Callable[[Any], Any] | None = None,
) -> _RealValuedColumn:
    """Makes a column of numbers.

    Args:
      column_name: The feature's name.
      dimension: How many numbers an example has.
      default_value: What stands where it has none: a number, or a list of them; None is an error.
      dtype: The feature's type.
      normalizer: Applied to the feature.

    Raises:
      TypeError: `dimension` is no integer, or the default does not fit the type.
      ValueError: `dimension` is below 1, the type is no number's, or there are not as many
        defaults.
    """
    if not isinstance(dimension, int):
        raise TypeError(
            f"dimension must be an integer. dimension: {dimension}, column_name: {column_name}"
        )
    if dimension < 1:
        raise ValueError(
            f"dimension must be greater than 0. dimension: {dimension}, column_name: {column_name}"
        )
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(
            f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}"
        )
    default = _default(default_value, dimension, dtype, column_name)
    return _RealValuedColumn(column_name, dimension, default, dtype, normalizer)


def _default(value: Any, dimension: int, dtype: Any, name: str) -> tuple[Any, ...] | None:
    if value is None:
        return None
    if isinstance(value, list):
        if len(value) != dimension:
            raise ValueError(
                "The length of default_value must be equal to dimension. "
                f"default_value: {value}, dimension: {dimension}, column_name: {name}"
            )
        values = value
    else:
        values = [value] * dimension
    if all(isinstance(each, int) for each in values) and dtype.is_integer:
        return tuple(values)
    if all(isinstance(each, (int, float)) for each in values) and dtype.is_floating:
        return tuple(float(each) for each in values)
    raise TypeError(
        "default_value must be compatible with dtype. "
        f"default_value: {value}, dtype: {dtype}, column_name: {name}"
    )


class _BucketizedColumn(
    FeatureColumn,
    CategoricalColumn,
    DenseColumn,
    collections.namedtuple("_BucketizedColumn", ["source_column", "boundaries"]),
):
    """A column that says between which boundaries numbers are."""

    def __new__(cls, source_column: Any, boundaries: Any) -> _BucketizedColumn:
        if not isinstance(source_column, _RealValuedColumn):
            raise TypeError(
                "source_column must be an instance of _RealValuedColumn. "
                f"source_column: {source_column}"
            )
        if not isinstance(boundaries, (list, tuple)) or not boundaries:
            raise ValueError(
                f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}"
            )
        if list(boundaries) != sorted(boundaries):
            raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
        return super().__new__(cls, source_column, tuple(dict.fromkeys(boundaries)))

    @property
    def name(self) -> str:
        """The name of its variables' scope."""
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """The number of buckets."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict[str, Any]:
        """How the feature is parsed."""
        return self.source_column.config

    def transform(self, features: dict[Any, Any]) -> tf.Tensor:
        """Returns the bucket of each number."""
        return tf.raw_ops.Bucketize(
            input=self.source_column.transformed(features),
            boundaries=list(self.boundaries),
            name="bucketize",
        )

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns zeros, and ones at the places of buckets.

        Raises:
          ValueError: The rank is not 2.
        """
        if rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        one_hot = tf.one_hot(tf.cast(transformed, tf.int64), self.length, 1.0, 0.0, name="one_hot")
        return tf.reshape(one_hot, [-1, self._num_buckets])

    def to_sparse_tensor(self, transformed: tf.Tensor) -> tf.SparseTensor:
        """Returns the buckets as ids; each number of an example has ids of its own.

        Args:
          transformed: The bucket of each number.
        """
        dimension = self.source_column.dimension
        batch = tf.shape(transformed)[0]
        buckets = tf.reshape(transformed, [-1])
        rows = tf.repeat(tf.range(batch), dimension)
        columns = tf.tile(tf.range(dimension), [batch])
        indices = tf.cast(tf.stack([rows, columns], axis=1), tf.int64)
        shape = tf.cast(tf.stack([batch, dimension]), tf.int64)
        return tf.SparseTensor(indices, buckets + self.length * columns, shape)

    def id_tensor(self, transformed: Any) -> tf.SparseTensor:
        """Returns the buckets as ids."""
        return self.to_sparse_tensor(transformed)

    def weight_tensor(self, transformed: Any) -> None:
        """Returns the ids' weights: none."""

    @property
    def _num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self._num_buckets])

    def wide_lookup(self, transformed: Any) -> WideLookup:
        """Returns what a linear model looks up."""
        return WideLookup(self.to_sparse_tensor(transformed), None, self._num_buckets, "sum")


def bucketized_column(source_column: _RealValuedColumn, boundaries: Sequence[float]) -> Any:
    """Makes a column that says between which boundaries numbers are.

    Args:
      source_column: A `real_valued_column`.
      boundaries: The boundaries, ascending.

    Raises:
      TypeError: `source_column` is something else.
      ValueError: There are no boundaries, or they are not sorted.
    """
    return _BucketizedColumn(source_column, boundaries)


class _CrossedColumn(
    FeatureColumn,
    CategoricalColumn,
    collections.namedtuple(
        "_CrossedColumn",
        [
            "columns",
            "hash_bucket_size",
            "hash_key",
            "combiner",
            "ckpt_to_load_from",
            "tensor_name_in_ckpt",
        ],
    ),
):
    """A column of the combinations of other columns' values."""

    def __new__(
        cls,
        columns: Iterable[Any],
        hash_bucket_size: int,
        hash_key: int | None,
        combiner: str = "sum",
        ckpt_to_load_from: str | None = None,
        tensor_name_in_ckpt: str | None = None,
    ) -> _CrossedColumn:
        columns = list(columns)
        for column in columns:
            if not isinstance(column, (_SparseColumn, _CrossedColumn, _BucketizedColumn)):
                raise TypeError(
                    "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn "
                    f"instances. (column {column} is a {type(column).__name__})"
                )
        if len(columns) < 2:
            raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
        if hash_bucket_size < 2:
            raise ValueError(
                f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}"
            )
        check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
        in_order = tuple(sorted(columns, key=lambda column: column.name))
        return super().__new__(
            cls,
            in_order,
            hash_bucket_size,
            hash_key,
            combiner,
            ckpt_to_load_from,
            tensor_name_in_ckpt,
        )

    @property
    def name(self) -> str:
        """The name of its variables' scope."""
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def length(self) -> int:
        """The number of ids."""
        return self.hash_bucket_size

    @property
    def config(self) -> dict[str, Any]:
        """How the features are parsed."""
        return {name: spec for column in self.columns for name, spec in column.config.items()}

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """The checkpoint and the name in it that its weights begin with."""
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def id_tensor(self, transformed: Any) -> tf.SparseTensor:
        """Returns the ids."""
        return transformed

    def weight_tensor(self, transformed: Any) -> None:
        """Returns the ids' weights: none."""

    def transform(self, features: dict[Any, Any]) -> tf.SparseTensor:
        """Returns the ids of combinations: of values as they are, and of buckets."""
        crossed = []
        for column in self._leaves():
            if isinstance(column, _BucketizedColumn):
                crossed.append(column.to_sparse_tensor(column.transformed(features)))
            else:
                crossed.append(feature_of(features, column.name))
        return sparse_feature_cross.cross(crossed, self.hash_bucket_size, self.hash_key)

    def _leaves(self) -> list[Any]:
        leaves = []
        for column in self.columns:
            leaves += column._leaves() if isinstance(column, _CrossedColumn) else [column]
        return leaves

    def wide_lookup(self, transformed: Any) -> WideLookup:
        """Returns what a linear model looks up."""
        return WideLookup(transformed, None, self.length, self.combiner)


def crossed_column(
    columns: Iterable[Any],
    hash_bucket_size: int,
    combiner: str = "sum",
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    hash_key: int | None = None,
) -> _CrossedColumn:
    """Makes a column of the combinations of other columns' values, hashed.

    Args:
      columns: Two or more columns of ids, buckets or combinations.
      hash_bucket_size: The number of ids.
      combiner: How several ids of an example are combined: "sum", "mean" or "sqrtn".
      ckpt_to_load_from: A checkpoint that its weights begin with.
      tensor_name_in_ckpt: Their name in it.
      hash_key: Which hash function: SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY or another number; None
        is an older one, which takes combinations of combinations apart less well.

    Raises:
      TypeError: A column is of another kind.
      ValueError: They are fewer than two, or the number is, or of checkpoint and name one is
        missing.
    """
    return _CrossedColumn(
        columns, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt
    )
