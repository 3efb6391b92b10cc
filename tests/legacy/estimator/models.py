"""A small regression model and its data, for the tests of Estimator."""

import numpy as np
import tensorflow as tf

from legacy import estimator

tf1 = tf.compat.v1


def dataset(batch=2, repeat=None):
    x = np.arange(16, dtype=np.float32).reshape(16, 1) / 10
    return tf.data.Dataset.from_tensor_slices((x, 3 * x + 1)).repeat(repeat).batch(batch)


def model_fn(features, labels, mode):
    """Learns 3x + 1 by momentum from w = 1, b = 0, so that the losses are known."""
    weight = tf1.get_variable("w", [1, 1], initializer=tf1.ones_initializer())
    bias = tf1.get_variable("b", [1], initializer=tf1.zeros_initializer())
    predictions = tf.matmul(features, weight) + bias
    if mode == estimator.ModeKeys.PREDICT:
        return estimator.EstimatorSpec(mode, predictions={"y": predictions})
    loss = tf1.losses.mean_squared_error(labels, predictions)
    optimizer = tf1.train.MomentumOptimizer(0.01, 0.9)
    return estimator.EstimatorSpec(
        mode,
        predictions={"y": predictions},
        loss=loss,
        train_op=optimizer.minimize(loss, tf1.train.get_global_step()),
        eval_metric_ops={"mae": tf1.metrics.mean_absolute_error(labels, predictions)},
    )


class Losses(tf1.train.SessionRunHook):
    """Hook that collects the loss of each step."""

    def __init__(self):
        self.values = []

    def before_run(self, run_context):
        return tf1.train.SessionRunArgs(tf1.get_collection(tf1.GraphKeys.LOSSES)[-1])

    def after_run(self, run_context, run_values):
        self.values.append(float(run_values.results))


def receiver_fn():
    placeholder = tf1.placeholder(tf.float32, [None, 1], name="x")
    return estimator.export.TensorServingInputReceiver(placeholder, {"x": placeholder})
