"""Tests of SDCA for columns of contrib.layers."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers, linear_optimizer

tf1 = tf.compat.v1


def step_of(optimizer, x, y):
    column = layers.real_valued_column("x")
    weight = tf1.get_variable("weight", [1, 1], initializer=tf1.zeros_initializer())
    ids = tf.constant([str(i) for i in range(len(x))])
    features = {column: tf.constant(x)[:, None], "id": ids}
    model, step = optimizer.get_train_step(
        {column: [weight]}, None, "squared_loss", features, tf.constant(y), None
    )
    return weight, model, step


@pytest.mark.parametrize(("given", "used"), [(0.0, 1.0), (3.0, 3.0)])
def test_a_weight_comes_to_its_ridge_solution(session, given, used):
    x, y = np.float32([1.0, 2.0]), np.float32([2.0, 5.0])
    optimizer = linear_optimizer.SDCAOptimizer("id", symmetric_l2_regularization=given)
    weight, model, step = step_of(optimizer, x, y)
    update = model.update_weights(step)
    session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
    for _ in range(20):
        session.run(step)
    session.run(update)
    expected = (x * y).sum() / ((x * x).sum() + used)
    assert session.run(weight).item() == pytest.approx(expected, rel=1e-3)


@pytest.mark.usefixtures("session")
def test_a_regularization_is_not_negative():
    optimizer = linear_optimizer.SDCAOptimizer("id", symmetric_l2_regularization=-1.0)
    with pytest.raises(ValueError, match="should be non-negative. Found -1.0"):
        step_of(optimizer, np.float32([1.0]), np.float32([1.0]))
