"""A model function of one's own: the plain Estimator."""

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def model_fn(features, labels, mode, params):
    kernel = tf1.get_variable("kernel", [2, 1])
    bias = tf1.get_variable("bias", [1])
    predictions = tf.matmul(features, kernel) + bias
    loss = tf.reduce_mean(tf.square(predictions - labels))
    optimizer = tf1.train.MomentumOptimizer(params["learning_rate"], 0.9)
    return params["spec"](
        mode,
        predictions={"y": predictions},
        loss=loss,
        train_op=optimizer.minimize(loss, tf1.train.get_or_create_global_step()),
        eval_metric_ops={"error": tf1.metrics.mean_absolute_error(labels, predictions)},
    )


def input_fn():
    x = np.linspace(-1, 1, 16, dtype="float32").reshape(8, 2)
    return tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True))).batch(4).repeat()


def run(estimator, folder):
    config = estimator.RunConfig(model_dir=folder, save_summary_steps=1, tf_random_seed=1)
    params = {"learning_rate": 0.1, "spec": estimator.EstimatorSpec}
    return facts.ten_more_steps(
        estimator.Estimator(model_fn, config=config, params=params), input_fn
    )
