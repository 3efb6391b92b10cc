"""Tests of regressions on tensors."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib.learn import models

X = np.float32([[1.0, 2.0], [3.0, 4.0]])


def test_weights_of_zero(session):
    y = np.float32([3.0, 4.0])
    predictions, loss = models.linear_regression_zero_init(tf.constant(X), tf.constant(y))
    labels = np.float32([[0, 1, 0], [1, 0, 0]])
    chances, entropy = models.logistic_regression_zero_init(tf.constant(X), tf.constant(labels))
    session.run(tf.compat.v1.global_variables_initializer())
    assert session.run([predictions, loss])[0].tolist() == [0.0, 0.0]
    assert session.run(loss) == (9 + 16) / 2
    np.testing.assert_allclose(session.run(chances), np.full([2, 3], 1 / 3), rtol=1e-5)
    assert session.run(entropy) == pytest.approx(np.log(3.0))


def test_classes_have_weights(session):
    with tf.compat.v1.variable_scope("", initializer=tf.compat.v1.ones_initializer()):
        chances, _ = models.logistic_regression(
            tf.constant(X[:1]), tf.constant([[1.0, 0.0]]), class_weight=tf.constant([1.0, 0.5])
        )
    session.run(tf.compat.v1.global_variables_initializer())
    logits = np.array([4.0, 2.0])  # 1 + 2 and a bias of 1, times the weights.
    np.testing.assert_allclose(
        session.run(chances)[0], np.exp(logits) / np.exp(logits).sum(), rtol=1e-5
    )
