"""Tests of `classes`, which maps class names to class ids, and computes predictions of classes."""

import pytest
import tensorflow as tf

from legacy.estimator.heads import classes

tf1 = tf.compat.v1


def test_vocabulary_works_eagerly_and_in_several_graphs():
    vocabulary = classes.Vocabulary(["a", "b"])
    found = [vocabulary.ids(tf.constant(["b", "x"])).numpy().tolist()]
    for _ in range(2):
        with tf.Graph().as_default(), tf1.Session() as session:
            ids = vocabulary.ids(tf.constant(["b", "x"]))
            session.run(tf1.tables_initializer())
            found.append(session.run(ids).tolist())
    found.append(vocabulary.ids(tf.constant(["b", "x"])).numpy().tolist())
    assert found == [[1, -1]] * 4


def test_eager_table_is_made_once():
    vocabulary = classes.Vocabulary(("a", "b"))
    for _ in range(3):
        assert vocabulary.strings(tf.constant([1, 0], tf.int64)).numpy().tolist() == [b"b", b"a"]
    assert len(vocabulary._eager_tables) == 1


def test_vocabulary_of_numbers():
    with pytest.raises(ValueError, match="label_vocabulary must be of strings"):
        classes.Vocabulary([1, 2]).ids(tf.constant(["1"]))


def test_all_classes_of_a_batch_whose_size_is_unknown():
    with tf.Graph().as_default(), tf1.Session() as session:
        logits = tf1.placeholder(tf.float32, [None, 3])
        names = classes.all_classes(logits, 3, ["a", "b", "c"])
        ids = classes.all_class_ids(logits, 3)
        assert names.shape.as_list() == [None, 3]
        names, ids = session.run([names, ids], {logits: [[0, 0, 0]] * 2})
    assert names.tolist() == [[b"a", b"b", b"c"]] * 2
    assert ids.tolist() == [[0, 1, 2]] * 2
