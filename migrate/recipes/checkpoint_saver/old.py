"""Saves a checkpoint every four steps, keeps the last two, and notifies a listener of each."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY, KEEP = 10, 4, 2


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.MomentumOptimizer(0.05, 0.9)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class Listener(tf.train.CheckpointSaverListener):
    def __init__(self):
        self.saved = []

    def after_save(self, session, global_step_value):
        self.saved.append(int(global_step_value))


def main(folder):
    listener = Listener()
    config = tf.estimator.RunConfig(save_checkpoints_steps=EVERY, keep_checkpoint_max=KEEP)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    estimator.train(input_fn, max_steps=STEPS, saving_listeners=[listener])
    kept = tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths
    return {
        "saved": listener.saved,
        "kept": [int(path.rpartition("-")[2]) for path in kept],
        "kernel": estimator.get_variable_value("dense/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
