"""Stops Adam after five steps, and resumes with its slots from the checkpoint."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS = 5


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.AdamOptimizer(0.01, beta2=0.99)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def train(folder, last_step):
    tf.estimator.Estimator(model_fn, folder).train(input_fn, max_steps=last_step)


def read(folder):
    """Returns the kernel and the optimizer's state, by meaning."""
    reader = tf.train.load_checkpoint(folder)
    return {
        "first_moment": reader.get_tensor("dense/kernel/Adam").ravel().tolist(),
        "second_moment": reader.get_tensor("dense/kernel/Adam_1").ravel().tolist(),
        "beta1_power": float(reader.get_tensor("beta1_power")),
        "beta2_power": float(reader.get_tensor("beta2_power")),
        "kernel": reader.get_tensor("dense/kernel").ravel().tolist(),
    }


def main(folder):
    train(folder, STEPS)
    after_five = read(folder)
    train(folder, 2 * STEPS)
    return {"after_five": after_five, "after_ten": read(folder)}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
