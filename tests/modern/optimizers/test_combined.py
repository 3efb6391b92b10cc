"""Tests of an optimizer per layer."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern.optimizers import combined

legacy = tf_keras.optimizers.legacy


def variables():
    return tf.Variable([1.0], name="a/kernel"), tf.Variable([1.0], name="b/kernel")


def make():
    return combined.ByLayer({"a": legacy.SGD(0.1), "b": legacy.Adagrad(0.5)})


def test_each_variable_takes_its_own_step():
    a, b = variables()
    optimizer = make()
    optimizer.apply_gradients([(tf.constant([2.0]), a), (tf.constant([2.0]), b)])
    alone = tf.Variable([1.0])
    legacy.Adagrad(0.5).apply_gradients([(tf.constant([2.0]), alone)])
    np.testing.assert_allclose(a, [0.8])
    np.testing.assert_allclose(b, alone)
    assert int(optimizer.iterations) == 1


def test_slots_and_steps_are_saved(tmp_path):
    a, b = variables()
    optimizer = make()
    optimizer.apply_gradients([(tf.constant([2.0]), a), (tf.constant([2.0]), b)])
    path = tf.train.Checkpoint(optimizer=optimizer, b=b).save(str(tmp_path / "ckpt"))
    c, d = variables()
    again = make()
    tf.train.Checkpoint(optimizer=again, b=d).restore(path)
    for one, variable in ((optimizer, b), (again, d)):
        one.apply_gradients([(tf.constant([0.0]), c), (tf.constant([1.0]), variable)])
    np.testing.assert_allclose(d, b)
    assert int(again.iterations) == 2


def test_a_variable_of_no_layer():
    stray = tf.Variable([1.0], name="c/kernel")
    with pytest.raises(ValueError, match="c/kernel:0 belongs to no optimizer.*a, b"):
        make().apply_gradients([(tf.constant([1.0]), stray)])
