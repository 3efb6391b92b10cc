"""tf.contrib.lookup: lookup tables.

table = lookup.index_table_from_tensor(["emerson", "lake", "palmer"], num_oov_buckets=1)
ids = table.lookup(tf.constant(["lake", "moon"]))
session.run(tf.compat.v1.tables_initializer())
"""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1

KeyValueTensorInitializer = tf1.lookup.KeyValueTensorInitializer
TextFileInitializer = tf1.lookup.TextFileInitializer
TextFileIndex = tf1.lookup.TextFileIndex

_WHOLE_LINE = TextFileIndex.WHOLE_LINE
_LINE_NUMBER = TextFileIndex.LINE_NUMBER


class HasherSpec(collections.namedtuple("HasherSpec", ["hasher", "key"])):
    """The hash function that chooses the bucket of an unknown word.

    Args:
      hasher: "fasthash" or "stronghash".
      key: Key of the strong hash function. None for the fast one.
    """


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A keyed hash function, whose collisions cannot be predicted without the key.

    Args:
      key: Pair of unsigned integers.

    Raises:
      ValueError: `key` is not a pair of unsigned integers.
    """

    def __new__(cls, key: Sequence[int]) -> StrongHashSpec:
        """Checks the key. See the class for the arguments."""
        if len(key) != 2 or any(not isinstance(part, int) or part < 0 for part in key):
            raise ValueError(f"key must be a pair of unsigned integers, received {key}.")
        return super().__new__(cls, "stronghash", key)


class HashTable(tf1.lookup.StaticHashTable):
    """A table that is filled once.

    Args:
      initializer: Source of the keys and values.
      default_value: Value of unknown keys.
      shared_name: Logs a warning if it is not None, because sessions cannot share a table.
      name: Name of the operations.
    """

    def __init__(
        self,
        initializer: Any,
        default_value: Any,
        shared_name: str | None = None,
        name: str | None = None,
    ) -> None:
        if shared_name is not None:
            tf1.logging.warning(
                "HashTable(shared_name=%r): sessions of one server share no table any more; each "
                "has a copy of its own.",
                shared_name,
            )
        super().__init__(initializer, default_value, name=name)

    @property
    def init(self) -> tf.Operation:
        """The operation that fills the table."""
        return self.initializer


class MutableHashTable(tf1.lookup.experimental.MutableHashTable):
    """A table whose entries can be inserted and changed.

    Args:
      key_dtype: Dtype of the keys.
      value_dtype: Dtype of the values.
      default_value: Value of unknown keys.
      name: Name of the operations.
      checkpoint: If true, checkpoints include the content.
    """

    def __init__(
        self,
        key_dtype: tf.DType,
        value_dtype: tf.DType,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name=name, checkpoint=checkpoint)


class MutableDenseHashTable(tf1.lookup.experimental.DenseHashTable):
    """A table whose entries can be inserted and changed, stored in one block of memory.

    Args:
      key_dtype: Dtype of the keys.
      value_dtype: Dtype of the values.
      default_value: Value of unknown keys.
      empty_key: A key that never occurs. It marks a free bucket.
      deleted_key: Another key that never occurs. It marks a deleted entry.
      initial_num_buckets: Initial number of buckets.
      name: Name of the operations.
      checkpoint: If true, checkpoints include the content.
    """

    def __init__(
        self,
        key_dtype: tf.DType,
        value_dtype: tf.DType,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
    ) -> None:
        super().__init__(
            key_dtype,
            value_dtype,
            default_value,
            empty_key,
            deleted_key,
            initial_num_buckets=initial_num_buckets,
            name=name,
            checkpoint=checkpoint,
        )


def index_table_from_file(
    vocabulary_file: str | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    key_dtype: tf.DType = tf.string,
    name: str | None = None,
    key_column_index: int = _WHOLE_LINE,
    value_column_index: int = _LINE_NUMBER,
    delimiter: str = "\t",
) -> Any:
    """Returns a table from the lines of a file to their numbers.

    Args:
      vocabulary_file: The file.
      num_oov_buckets: Number of additional ids that unknown words share.
      vocab_size: Number of lines to read. None is all lines.
      default_value: Id of unknown words if `num_oov_buckets` is 0.
      hasher_spec: Hash function that chooses an unknown word's id.
      key_dtype: tf.string or an integer type.
      name: Name of the operations.
      key_column_index: Column of the word. -2 is the whole line.
      value_column_index: Column of the id. -1 is the line number.
      delimiter: Separator of columns.

    Returns:
      The table.

    Raises:
      ValueError: No file is named, or `num_oov_buckets` is negative.
      TypeError: `key_dtype` is neither tf.string nor an integer type.
    """
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    _check_integer_or_string(key_dtype)
    with tf1.name_scope(name, "string_to_index"):
        initializer = TextFileInitializer(
            vocabulary_file,
            key_dtype=tf.int64 if tf.as_dtype(key_dtype).is_integer else key_dtype,
            key_index=key_column_index,
            value_dtype=tf.int64,
            value_index=value_column_index,
            vocab_size=vocab_size,
            delimiter=delimiter,
        )
        return _with_buckets(initializer, num_oov_buckets, default_value, hasher_spec, key_dtype)


def index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    dtype: tf.DType = tf.string,
    name: str | None = None,
) -> Any:
    """Returns a table from words to their positions.

    Args:
      mapping: The words.
      num_oov_buckets: As in `index_table_from_file`.
      default_value: As in `index_table_from_file`.
      hasher_spec: As in `index_table_from_file`.
      dtype: Dtype of the words: tf.string or an integer type.
      name: Name of the operations.

    Returns:
      The table.

    Raises:
      ValueError: `mapping` is None or is not of type `dtype`, or `num_oov_buckets` is negative.
      TypeError: `dtype` is neither tf.string nor an integer type.
    """
    if mapping is None:
        raise ValueError("mapping must be specified.")
    _check_integer_or_string(dtype)
    with tf1.name_scope(name, "string_to_index"):
        words = tf.convert_to_tensor(mapping)
        if words.dtype.is_integer != tf.as_dtype(dtype).is_integer:
            raise ValueError(f"Expected {dtype}, got {words.dtype}.")
        if words.dtype.is_integer:
            words = tf.cast(words, tf.int64)
        ids = tf.range(tf.size(words, out_type=tf.int64), dtype=tf.int64)
        initializer = KeyValueTensorInitializer(words, ids)
        return _with_buckets(initializer, num_oov_buckets, default_value, hasher_spec, dtype)


def index_to_string_table_from_file(
    vocabulary_file: str,
    vocab_size: int | None = None,
    default_value: str = "UNK",
    name: str | None = None,
    key_column_index: int = _LINE_NUMBER,
    value_column_index: int = _WHOLE_LINE,
    delimiter: str = "\t",
) -> Any:
    """Returns a table from line numbers to the lines of a file.

    Args:
      vocabulary_file: The file.
      vocab_size: Number of lines to read. None is all lines.
      default_value: Word of unknown ids.
      name: Name of the operations.
      key_column_index: Column of the id. -1 is the line number.
      value_column_index: Column of the word. -2 is the whole line.
      delimiter: Separator of columns.

    Returns:
      The table.

    Raises:
      ValueError: No file is named, or a number is not valid.
    """
    if not vocabulary_file:
        raise ValueError("vocabulary_file must be specified.")
    with tf1.name_scope(name, "index_to_string"):
        initializer = TextFileInitializer(
            vocabulary_file,
            key_dtype=tf.int64,
            key_index=key_column_index,
            value_dtype=tf.string,
            value_index=value_column_index,
            vocab_size=vocab_size,
            delimiter=delimiter,
        )
        return HashTable(initializer, default_value)


def index_to_string_table_from_tensor(
    mapping: Any, default_value: str = "UNK", name: str | None = None
) -> HashTable:
    """Returns a table from positions to words.

    Args:
      mapping: The words.
      default_value: Word of unknown ids.
      name: Name of the operations.

    Raises:
      ValueError: `mapping` is None.
    """
    if mapping is None:
        raise ValueError("mapping must be specified.")
    with tf1.name_scope(name, "index_to_string"):
        words = tf.convert_to_tensor(mapping, tf.string)
        ids = tf.range(tf.size(words, out_type=tf.int64), dtype=tf.int64)
        return HashTable(KeyValueTensorInitializer(ids, words), default_value)


def string_to_index_table_from_file(
    vocabulary_file: str | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    name: str | None = None,
) -> Any:
    """Returns `index_table_from_file`'s table. It is the older name of that function.

    Args:
      vocabulary_file: As in `index_table_from_file`.
      num_oov_buckets: As in `index_table_from_file`.
      vocab_size: As in `index_table_from_file`.
      default_value: As in `index_table_from_file`.
      hasher_spec: As in `index_table_from_file`.
      name: As in `index_table_from_file`.
    """
    return index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name
    )


def string_to_index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    name: str | None = None,
) -> Any:
    """Returns `index_table_from_tensor`'s table. It is the older name of that function.

    Args:
      mapping: As in `index_table_from_tensor`.
      num_oov_buckets: As in `index_table_from_tensor`.
      default_value: As in `index_table_from_tensor`.
      hasher_spec: As in `index_table_from_tensor`.
      name: As in `index_table_from_tensor`.
    """
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=name)


def string_to_index(
    tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None
) -> tf.Tensor:
    """Returns the positions of words in `mapping`.

    Args:
      tensor: Words to look up.
      mapping: All words.
      default_value: Position of unknown words.
      name: Name of the operations.
    """
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(
    tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None
) -> tf.Tensor:
    """Returns the words at positions of `mapping`.

    Args:
      tensor: Positions, int64.
      mapping: All words.
      default_value: Word of unknown positions.
      name: Name of the operations.
    """
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


def _check_integer_or_string(dtype: Any) -> None:
    dtype = tf.as_dtype(dtype)
    if dtype != tf.string and not dtype.is_integer:
        raise TypeError("Only integer and string keys are supported.")


def _with_buckets(
    initializer: Any, buckets: int, default_value: int, hasher: HasherSpec, dtype: tf.DType
) -> Any:
    """Returns a table of the known words, plus `buckets` ids for unknown words."""
    if buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {buckets}.")
    if not buckets:
        return HashTable(initializer, default_value)
    if hasher.hasher == "fasthash":
        return tf1.lookup.StaticVocabularyTable(
            initializer, num_oov_buckets=buckets, lookup_key_dtype=dtype
        )
    # StaticVocabularyTable only has the fast hash.
    return _StrongTable(HashTable(initializer, -1), buckets, hasher.key)


class _StrongTable:
    """A table of strings that maps unknown words to buckets by a strong hash."""

    def __init__(self, table: HashTable, buckets: int, key: Sequence[int]) -> None:
        self._table, self._buckets, self._key = table, buckets, list(key)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        if isinstance(keys, tf.SparseTensor):
            values = self.lookup(keys.values, name)
            return tf.SparseTensor(keys.indices, values, keys.dense_shape)
        ids = self._table.lookup(keys)  # -1 for unknown words, see `_with_buckets`.
        hash_buckets = tf.strings.to_hash_bucket_strong(keys, self._buckets, self._key)
        return tf.where(ids >= 0, ids, self._table.size() + hash_buckets, name=name)

    def size(self, name: str | None = None) -> tf.Tensor:
        return self._table.size(name) + self._buckets

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


__getattr__ = _missing.attribute_of("lookup")
