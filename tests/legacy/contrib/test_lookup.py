"""Tests of lookup tables."""

import pytest
import tensorflow as tf

from legacy.contrib import lookup

tf1 = tf.compat.v1


def run(session, outputs):
    session.run(tf1.tables_initializer())
    return session.run(outputs)


def test_words_have_their_positions(session):
    words = tf.constant(["b", "c", "a"])
    table = lookup.index_table_from_tensor(["a", "b"], default_value=7)
    backwards = lookup.index_to_string(tf.constant([1, 5], tf.int64), ["a", "b"])
    found = run(session, [table.lookup(words), backwards, lookup.string_to_index(words, ["c"])])
    assert [each.tolist() for each in found] == [[1, 7, 0], [b"b", b"UNK"], [-1, 0, -1]]


def test_columns_of_a_file(session, tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("a:5\nb:6\n")
    table = lookup.index_table_from_file(
        str(file), key_column_index=0, value_column_index=1, delimiter=":"
    )
    lines = lookup.index_to_string_table_from_file(str(file), vocab_size=1)
    found = [
        table.lookup(tf.constant(["b", "a", "c"])),
        lines.lookup(tf.constant([0, 1], tf.int64)),
    ]
    assert [each.tolist() for each in run(session, found)] == [[6, 5, -1], [b"a:5", b"UNK"]]


@pytest.mark.parametrize("hasher", [lookup.FastHashSpec, lookup.StrongHashSpec([1, 2])])
def test_unknown_words_share_buckets(session, hasher):
    words = tf.constant(["b", "x", "y", "z"])
    table = lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=3, hasher_spec=hasher)
    if hasher is lookup.FastHashSpec:
        hashed = tf.strings.to_hash_bucket_fast(words, 3)
    else:
        hashed = tf.strings.to_hash_bucket_strong(words, 3, [1, 2])
    found, size, hashed = run(session, [table.lookup(words), table.size(), hashed])
    assert (found.tolist(), size) == ([1, *(2 + hashed[1:])], 5)


def test_entries_are_changed(session):
    for table in (
        lookup.MutableHashTable(tf.string, tf.int64, -1),
        lookup.MutableDenseHashTable(tf.string, tf.int64, -1, "", "deleted"),
    ):
        session.run(table.insert(tf.constant(["a"]), tf.constant([3], tf.int64)))
        assert session.run(table.lookup(tf.constant(["a", "b"]))).tolist() == [3, -1]


@pytest.mark.usefixtures("session")
def test_what_is_refused():
    with pytest.raises(ValueError, match="pair of unsigned integers"):
        lookup.StrongHashSpec([1, -2])
    with pytest.raises(TypeError, match="Only integer and string keys"):
        lookup.index_table_from_tensor([1.0], dtype=tf.float32)
    with pytest.raises(ValueError, match="num_oov_buckets must be greater"):
        lookup.index_table_from_tensor(["a"], num_oov_buckets=-1)
    with pytest.raises(ValueError, match="Expected .*int64.*, got .*string"):
        lookup.index_table_from_tensor(["a"], dtype=tf.int64)
