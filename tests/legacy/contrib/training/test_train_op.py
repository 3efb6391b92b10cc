"""Tests of train ops and of the loop that runs them."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import training

tf1 = tf.compat.v1


def test_each_gradient_is_clipped_and_updates_run_before_the_loss(session):
    a, b = (tf1.get_variable(name, initializer=0.0) for name in "ab")
    count = tf1.get_variable("count", initializer=0.0, trainable=False)
    tf1.add_to_collection(tf1.GraphKeys.UPDATE_OPS, tf1.assign_add(count, 1.0))
    train_op = training.create_train_op(
        8 * a - 0.5 * b,
        tf1.train.GradientDescentOptimizer(1.0),
        transform_grads_fn=training.clip_gradient_norms_fn(2.0),
    )
    session.run(tf1.global_variables_initializer())
    assert session.run(train_op) == 0.0
    step = tf1.train.get_global_step()
    np.testing.assert_allclose(session.run([a, b, count, step]), [-2.0, 0.5, 1.0, 1], rtol=1e-6)


def test_some_gradients_are_scaled(session):
    a, b, c = (tf1.get_variable(name, [2], initializer=tf1.ones_initializer()) for name in "abc")
    slices = tf.IndexedSlices(tf.constant([3.0]), tf.constant([1]), tf.constant([2]))
    pairs = [(tf.constant([1.0, 2.0]), a), (slices, b), (None, c)]
    scaled = training.multiply_gradients(pairs, {a: 10.0, "b": 2.0})
    assert session.run(scaled[0][0]).tolist() == [10.0, 20.0]
    assert session.run(scaled[1][0].values).tolist() == [6.0]
    with pytest.raises(ValueError, match="Requested multiple of `None` gradient: c"):
        training.multiply_gradients(pairs, {"c": 1.0})
    with pytest.raises(ValueError, match="`gradient_multipliers` is empty"):
        training.multiply_gradients(pairs, {})


def test_a_training_ends_with_its_hook(tmp_path):
    with tf.Graph().as_default():
        weight = tf1.get_variable("weight", initializer=1.0)
        train_op = training.create_train_op(weight**2, tf1.train.GradientDescentOptimizer(0.25))
        hooks = [tf1.train.StopAtStepHook(last_step=3)]
        loss = training.train(train_op, str(tmp_path), hooks=hooks)
    assert loss == (0.5**2) ** 2  # Each step halves the weight. The loss is before the third.
    assert tf.train.load_variable(str(tmp_path), "weight") == 0.125
