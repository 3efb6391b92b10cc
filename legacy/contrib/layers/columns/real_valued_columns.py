"""Numeric, bucketized and crossed feature columns of contrib.layers.

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
    """Column of numbers."""

    @property
    def name(self) -> str:
        """Name of the feature."""
        return self.column_name

    @property
    def config(self) -> dict[str, Any]:
        """Parsing spec of the feature."""
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: tf.io.FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def key(self) -> str:
        """Sort key of the column."""
        return self.key_without("normalizer")

    @property
    def normalizer_fn(self) -> Callable[[Any], Any] | None:
        """Function that normalizes the feature, or None."""
        return self.normalizer

    def transform(self, features: dict[Any, Any]) -> tf.Tensor:
        """Returns the normalized feature as float32."""
        values = feature_of(features, self.name)
        return tf.cast(self.normalizer(values) if self.normalizer else values, tf.float32)

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self.dimension])

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns the numbers of the feature."""
        return of_rank(tf.cast(transformed, tf.float32), rank, self.name)

    def dense(self, transformed: Any) -> tf.Tensor:
        """Returns the numbers of the feature."""
        return transformed


def real_valued_column(
    column_name: str,
    dimension: int = 1,
    default_value: Any = None,
    dtype: Any = tf.float32,
    normalizer: Callable[[Any], Any] | None = None,
) -> _RealValuedColumn:
    """Creates a column of numbers.

    Args:
      column_name: Name of the feature.
      dimension: Number of values per example.
      default_value: Value of an example that lacks the feature: a number or a list of `dimension`
        numbers. If None, a missing feature is an error.
      dtype: Type of the feature, a numeric type.
      normalizer: Function to apply to the feature.

    Raises:
      TypeError: `dimension` is not an integer, or the default value does not match the type.
      ValueError: `dimension` is less than 1, the type is not numeric, or the number of default
        values is not `dimension`.
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
    if all(isinstance(value, int) for value in values) and dtype.is_integer:
        return tuple(values)
    if all(isinstance(value, (int, float)) for value in values) and dtype.is_floating:
        return tuple(float(value) for value in values)
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
    """Column of bucket numbers. Boundaries divide the range of a numeric column into buckets."""

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
        """Name of the column's variable scope."""
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """Number of buckets."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict[str, Any]:
        """Parsing spec of the feature."""
        return self.source_column.config

    def transform(self, features: dict[Any, Any]) -> tf.Tensor:
        """Returns the bucket of each number."""
        return tf.raw_ops.Bucketize(
            input=self.source_column.transformed(features),
            boundaries=list(self.boundaries),
            name="bucketize",
        )

    def deep_input(self, transformed: Any, rank: int = 2) -> tf.Tensor:
        """Returns a one-hot vector for each number, concatenated per example.

        Raises:
          ValueError: The rank is not 2.
        """
        if rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        one_hot = tf.one_hot(tf.cast(transformed, tf.int64), self.length, 1.0, 0.0, name="one_hot")
        return tf.reshape(one_hot, [-1, self._num_buckets])

    def to_sparse_tensor(self, transformed: tf.Tensor) -> tf.SparseTensor:
        """Returns the buckets as ids. Each number of an example has its own range of ids.

        Args:
          transformed: Bucket of each number.
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
        """Returns None: the ids have no weights."""

    @property
    def _num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    @property
    def _variable_shape(self) -> tf.TensorShape:
        return tf.TensorShape([self._num_buckets])

    def wide_lookup(self, transformed: Any) -> WideLookup:
        """Returns the ids and weights that a linear model looks up."""
        return WideLookup(self.to_sparse_tensor(transformed), None, self._num_buckets, "sum")


def bucketized_column(source_column: _RealValuedColumn, boundaries: Sequence[float]) -> Any:
    """Creates a column of bucket numbers.

    Args:
      source_column: Numeric column from `real_valued_column`.
      boundaries: Boundaries of the buckets, in ascending order. For example, [18, 30] makes three
        buckets.

    Raises:
      TypeError: `source_column` is not a real-valued column.
      ValueError: `boundaries` is empty or not sorted.
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
    """Column of the combinations of other columns' values."""

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
        """Name of the column's variable scope."""
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def length(self) -> int:
        """Number of ids."""
        return self.hash_bucket_size

    @property
    def config(self) -> dict[str, Any]:
        """Parsing specs of the features, by feature name."""
        return {name: spec for column in self.columns for name, spec in column.config.items()}

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """Checkpoint path and variable name that initialize the weights, or None."""
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def id_tensor(self, transformed: Any) -> tf.SparseTensor:
        """Returns the ids."""
        return transformed

    def weight_tensor(self, transformed: Any) -> None:
        """Returns None: the ids have no weights."""

    def transform(self, features: dict[Any, Any]) -> tf.SparseTensor:
        """Returns the ids of the combinations of raw values and buckets."""
        inputs = []
        for column in self._leaves():
            if isinstance(column, _BucketizedColumn):
                inputs.append(column.to_sparse_tensor(column.transformed(features)))
            else:
                inputs.append(feature_of(features, column.name))
        return sparse_feature_cross.cross(inputs, self.hash_bucket_size, self.hash_key)

    def _leaves(self) -> list[Any]:
        leaves = []
        for column in self.columns:
            leaves += column._leaves() if isinstance(column, _CrossedColumn) else [column]
        return leaves

    def wide_lookup(self, transformed: Any) -> WideLookup:
        """Returns the ids and weights that a linear model looks up."""
        return WideLookup(transformed, None, self.length, self.combiner)


def crossed_column(
    columns: Iterable[Any],
    hash_bucket_size: int,
    combiner: str = "sum",
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    hash_key: int | None = None,
) -> _CrossedColumn:
    """Creates a column that hashes the combinations of other columns' values.

    Args:
      columns: Two or more categorical, bucketized or crossed columns.
      hash_bucket_size: Number of ids.
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn".
      ckpt_to_load_from: Checkpoint that the weights are initialized from.
      tensor_name_in_ckpt: Name of the variable in the checkpoint.
      hash_key: Key of the hash function, such as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY. None
        selects an older function, which causes more collisions when crossed columns are crossed.

    Raises:
      TypeError: A column has an unsupported type.
      ValueError: Fewer than two columns or ids are specified, or only one of `ckpt_to_load_from`
        and `tensor_name_in_ckpt` is.
    """
    return _CrossedColumn(
        columns, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt
    )
