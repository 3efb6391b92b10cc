"""Stops a training, resumes it from its checkpoint, and reads values from the checkpoint."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, LEARNING_RATE = 5, 0.05


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.MomentumOptimizer(LEARNING_RATE, 0.9)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def train(folder, last_step):
    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator.train(input_fn, max_steps=last_step)
    return estimator


def read(folder):
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder))
    return {
        "global_step": int(reader.get_tensor("global_step")),
        "kernel": reader.get_tensor("dense/kernel").ravel().tolist(),
        "momentum": reader.get_tensor("dense/kernel/Momentum").ravel().tolist(),
    }


def main(folder):
    train(folder, STEPS)
    first = read(folder)
    estimator = train(folder, 2 * STEPS)  # resumes with slots and step from the checkpoint
    second = read(folder)
    loss = estimator.evaluate(input_fn, steps=4)["loss"]
    return {"first": list(first.values()), "second": list(second.values()), "loss": float(loss)}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
