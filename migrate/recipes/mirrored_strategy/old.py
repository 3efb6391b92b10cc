"""Trains an Estimator on two replicas: here on one CPU, elsewhere on the GPUs of a machine."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, BATCH_SIZE = 10, 4
DEVICES = ["/device:CPU:0", "/device:CPU:1"]


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return (
        tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(BATCH_SIZE)
    )  # for one replica


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(16)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    config = tf.estimator.RunConfig(
        train_distribute=tf.contrib.distribute.MirroredStrategy(devices=DEVICES),
        session_config=tf.ConfigProto(device_count={"CPU": 2}),
    )
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    estimator.train(input_fn, steps=STEPS)
    metrics = estimator.evaluate(eval_input_fn)
    return {
        "replicas": config.train_distribute.num_replicas_in_sync,
        "global_step": int(metrics["global_step"]),
        "loss": float(metrics["loss"]),
        "kernel": estimator.get_variable_value("dense/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
