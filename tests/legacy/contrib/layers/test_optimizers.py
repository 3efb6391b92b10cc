"""Tests of optimize_loss. The oracle compares its summaries."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def test_gradients_are_multiplied_and_clipped_and_the_step_is_counted(session):
    a, b = (tf1.get_variable(name, initializer=0.0) for name in "ab")
    step = tf1.train.create_global_step()
    train_op = layers.optimize_loss(
        1.5 * a - 4 * b, step, 1.0, "SGD", gradient_multipliers={a: 2.0}, clip_gradients=1.0
    )
    session.run(tf1.global_variables_initializer())
    assert session.run(train_op) == 0.0  # The loss before the step.
    np.testing.assert_allclose(session.run([a, b]), [-0.6, 0.8], rtol=1e-5)
    assert session.run(step) == 1


def test_the_rate_decays(session):
    weight = tf1.get_variable("weight", initializer=0.0)
    tf1.train.create_global_step()
    train_op = layers.optimize_loss(
        -weight,
        tf1.train.get_global_step(),
        0.5,
        tf1.train.GradientDescentOptimizer,
        learning_rate_decay_fn=lambda rate, step: rate / tf.cast(step + 1, tf.float32),
    )
    session.run(tf1.global_variables_initializer())
    values = []
    for _ in range(3):
        session.run(train_op)
        values.append(session.run(weight))
    np.testing.assert_allclose(values, np.cumsum([0.5, 0.25, 0.5 / 3]), rtol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"optimizer": "Sgd"}, "Optimizer name should be one of"),
        ({"learning_rate": None, "optimizer": "SGD"}, "Learning rate is None"),
        ({"learning_rate": -1.0}, "Invalid learning_rate -1.0"),
        ({"summaries": ["norm"]}, "Summaries should be one of"),
        ({"optimizer": lambda rate: rate}, "should return subclass of Optimizer"),
    ],
)
def test_what_is_refused(arguments, message):
    with tf.Graph().as_default():
        weight = tf1.get_variable("weight", initializer=0.0)
        given = {"learning_rate": 0.1, "optimizer": "SGD", **arguments}
        with pytest.raises(ValueError, match=message):
            layers.optimize_loss(weight, tf1.train.create_global_step(), **given)
