"""Training that is preempted at step seven and resumes when the program runs again."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY, PREEMPTED_AT = 12, 5, 7


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class Preempted(Exception):
    pass


class Preemption(tf.train.SessionRunHook):
    def __init__(self, at):
        self.steps_run, self._at = 0, at

    def after_run(self, run_context, run_values):
        self.steps_run += 1
        if self.steps_run == self._at:
            raise Preempted


def run(folder, preempted_at):
    """Runs the program once. Returns the number of its steps, and the estimator."""
    config = tf.estimator.RunConfig(save_checkpoints_steps=EVERY)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    preemption = Preemption(preempted_at)
    try:
        estimator.train(input_fn, max_steps=STEPS, hooks=[preemption])
    except Preempted:
        tf.logging.info("preempted after %d steps", preemption.steps_run)
    return preemption.steps_run, estimator


def main(folder):
    first, _ = run(folder, PREEMPTED_AT)
    second, estimator = run(folder, None)
    return {
        "steps_run": [first, second],
        "last_step": int(estimator.get_variable_value("global_step")),
        "kernel": estimator.get_variable_value("dense/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
