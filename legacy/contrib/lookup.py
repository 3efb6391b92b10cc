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
    """Which hash function finds the bucket of an unknown word.

    Args:
      hasher: "fasthash" or "stronghash".
      key: The strong one's key.
    """


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash function whose collisions nobody can plan.

    Args:
      key: Two unsigned integers.

    Raises:
      ValueError: It is something else.
    """

    def __new__(cls, key: Sequence[int]) -> StrongHashSpec:
        """Checks the key; see the class."""
        if len(key) != 2 or any(not isinstance(part, int) or part < 0 for part in key):
            raise ValueError(f"key must be a pair of unsigned integers, received {key}.")
        return super().__new__(cls, "stronghash", key)


class HashTable(tf1.lookup.StaticHashTable):
    """A table that is filled once.

    Args:
      initializer: Where its keys and values come from.
      default_value: The value of unknown keys.
      shared_name: Shares it among sessions.
      name: A name for the operations.
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
        """The operation that fills it."""
        return self.initializer


class MutableHashTable(tf1.lookup.experimental.MutableHashTable):
    """A table that is filled step by step.

    Args:
      key_dtype: The keys' type.
      value_dtype: The values' type.
      default_value: The value of unknown keys.
      name: A name for the operations.
      checkpoint: Whether checkpoints have its content.
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
    """A table that is filled step by step, in one block of memory.

    Args:
      key_dtype: The keys' type.
      value_dtype: The values' type.
      default_value: The value of unknown keys.
      empty_key: A key that does not occur, which marks a free place.
      deleted_key: Another key that does not occur.
      initial_num_buckets: Places at first.
      name: A name for the operations.
      checkpoint: Whether checkpoints have its content.
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
    """Makes the table from a file's lines to their numbers.

    Args:
      vocabulary_file: The file.
      num_oov_buckets: How many ids unknown words share.
      vocab_size: How many lines count; None is all.
      default_value: The id of unknown words, where they share none.
      hasher_spec: How an unknown word's id is found.
      key_dtype: tf.string or an integer type.
      name: A name for the operations.
      key_column_index: Which column is the word, -2 the line.
      value_column_index: Which column is the id, -1 the line's number.
      delimiter: What stands between columns.

    Returns:
      The table.

    Raises:
      ValueError: There is no file, or a number or type is wrong.
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
    """Makes the table from words to their places.

    Args:
      mapping: The words.
      num_oov_buckets: As in `index_table_from_file`.
      default_value: As there.
      hasher_spec: As there.
      dtype: The words' type: tf.string or an integer type.
      name: A name for the operations.

    Returns:
      The table.

    Raises:
      ValueError: There are no words, or a number or type is wrong.
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
    """Makes the table from line numbers to a file's lines.

    Args:
      vocabulary_file: The file.
      vocab_size: How many lines count; None is all.
      default_value: The word of unknown ids.
      name: A name for the operations.
      key_column_index: Which column is the id, -1 the line's number.
      value_column_index: Which column is the word, -2 the line.
      delimiter: What stands between columns.

    Returns:
      The table.

    Raises:
      ValueError: There is no file, or a number is wrong.
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
    """Makes the table from places to words.

    Args:
      mapping: The words.
      default_value: The word of unknown ids.
      name: A name for the operations.

    Raises:
      ValueError: There are no words.
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
    """The older name of `index_table_from_file`.

    Args:
      vocabulary_file: As there.
      num_oov_buckets: As there.
      vocab_size: As there.
      default_value: As there.
      hasher_spec: As there.
      name: As there.
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
    """The older name of `index_table_from_tensor`.

    Args:
      mapping: As there.
      num_oov_buckets: As there.
      default_value: As there.
      hasher_spec: As there.
      name: As there.
    """
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=name)


def string_to_index(
    tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None
) -> tf.Tensor:
    """Returns the words' places.

    Args:
      tensor: The words.
      mapping: All words.
      default_value: The place of unknown words.
      name: A name for the operations.
    """
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(
    tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None
) -> tf.Tensor:
    """Returns the words of places.

    Args:
      tensor: The places, int64.
      mapping: All words.
      default_value: The word of unknown places.
      name: A name for the operations.
    """
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


def _check_integer_or_string(dtype: Any) -> None:
    dtype = tf.as_dtype(dtype)
    if dtype != tf.string and not dtype.is_integer:
        raise TypeError("Only integer and string keys are supported.")


def _with_buckets(
    initializer: Any, buckets: int, default_value: int, hasher: HasherSpec, dtype: tf.DType
) -> Any:
    """Makes the table: of known words, or where unknown ones have ids as well, of all."""
    if buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {buckets}.")
    if not buckets:
        return HashTable(initializer, default_value)
    if hasher.hasher == "fasthash":
        return tf1.lookup.StaticVocabularyTable(
            initializer, num_oov_buckets=buckets, lookup_key_dtype=dtype
        )
    return _StrongTable(HashTable(initializer, -1), buckets, hasher.key)


class _StrongTable:
    """A table of strings whose unknown words have ids by a strong hash."""

    def __init__(self, table: HashTable, buckets: int, key: Sequence[int]) -> None:
        self._table, self._buckets, self._key = table, buckets, list(key)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        if isinstance(keys, tf.SparseTensor):
            values = self.lookup(keys.values, name)
            return tf.SparseTensor(keys.indices, values, keys.dense_shape)
        found = self._table.lookup(keys)
        hashed = tf.strings.to_hash_bucket_strong(keys, self._buckets, self._key)
        return tf.where(found >= 0, found, self._table.size() + hashed, name=name)

    def size(self, name: str | None = None) -> tf.Tensor:
        return self._table.size(name) + self._buckets

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


__getattr__ = _missing.attribute_of("lookup")
