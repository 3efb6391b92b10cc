"""The Estimator's side of tests/modern/ported.py."""

import tensorflow as tf

from legacy import estimator as tf_estimator

SHAPES = {"hidden": [4, 3], "out": [3, 1]}


def model_fn(features, labels, mode):
    """Equals tests/modern/ported.Model, except for the biases."""
    v1 = tf.compat.v1
    weights = [v1.get_variable(f"{name}/kernel", shape) for name, shape in SHAPES.items()]
    outputs = tf.tanh(features["x"] @ weights[0]) @ weights[1]
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, {"out": outputs})
    loss = tf.reduce_mean((outputs - labels) ** 2)
    train_op = v1.train.AdamOptimizer(0.01).minimize(loss, v1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op)
