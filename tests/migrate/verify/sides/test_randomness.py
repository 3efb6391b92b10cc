"""Tests for switching off dropout, and for the names of random operations."""

import pytest
import tensorflow as tf
import tf_keras

from migrate.verify.sides import randomness

tf1 = tf.compat.v1


@pytest.mark.filterwarnings("ignore:.*is deprecated")
def test_switches_off_every_dropout_and_notes_the_rates():
    before = tf.nn.dropout
    with tf.Graph().as_default(), randomness.dropout_off() as seen:
        x = tf.ones([2, 5])
        outputs = [
            tf1.layers.dropout(x, 0.1, training=True),
            tf1.nn.dropout(x, keep_prob=0.75),
            tf1.nn.dropout(x, rate=0.2),
            tf.nn.dropout(x, 0.3),
            tf_keras.layers.Dropout(0.4)(x, training=True),
        ]
        assert tf1.layers.dropout(x, 0.9, training=False) is not None
        with tf1.Session() as session:
            found = session.run(outputs)

    assert all((one == 1).all() for one in found)
    assert [round(one.rate, 6) for one in seen] == [0.1, 0.25, 0.2, 0.3, 0.4]
    assert {one.width for one in seen} == {5}
    assert tf.nn.dropout is before


def test_names_random_operations_but_no_initializers():
    with tf.Graph().as_default() as graph:
        tf1.get_variable("w", [3], initializer=tf1.random_normal_initializer())
        tf.random.uniform([2], name="draw")
    names = randomness.random_ops(graph, below="nitializer")
    assert names == ["draw/RandomUniform"]
