"""An Estimator for the tests of contrib.learn."""

import pytest
import tensorflow as tf

from legacy.contrib import learn

tf1 = tf.compat.v1


def model_fn(features, labels, mode):
    weights = tf1.get_variable("weights", [features.shape[1], 1])
    predictions = tf.matmul(tf.cast(features, tf.float32), weights)[:, 0]
    loss = tf.reduce_mean(tf.square(predictions - tf.cast(labels, tf.float32)))
    optimizer = tf1.train.GradientDescentOptimizer(0.1)
    return predictions, loss, optimizer.minimize(loss, tf1.train.get_global_step())


@pytest.fixture
def estimator(tmp_path):
    return learn.Estimator(model_fn, str(tmp_path))
