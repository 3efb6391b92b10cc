"""Trains on synchronous workers: `python old.py MODEL_DIR` on each, with its own TF_CONFIG."""

import json
import os
import sys

import numpy as np
import tensorflow as tf

STEPS, BATCH_SIZE = 10, 4  # BATCH_SIZE is per worker


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    workers = len(config.get("cluster", {}).get("worker", ["this one"]))
    index = config.get("task", {}).get("index", 0)
    dataset = tf.data.Dataset.from_tensor_slices(make_data()).shard(workers, index)
    return dataset.repeat().batch(BATCH_SIZE)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(16)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
    config = tf.estimator.RunConfig(train_distribute=strategy)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS),
        tf.estimator.EvalSpec(eval_input_fn, steps=None),
    )
    # Only the first worker writes checkpoints. The others read them.
    return {
        "global_step": int(estimator.get_variable_value("global_step")),
        "kernel": estimator.get_variable_value("dense/kernel").ravel().tolist(),
        "bias": estimator.get_variable_value("dense/bias").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(sys.argv[1]))
