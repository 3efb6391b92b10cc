"""Trains with a fast input pipeline, and reports the speed every ten steps."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY, BATCH_SIZE = 40, 10, 8


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def augment(features, labels):
    return 2.0 * features, 2.0 * labels


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices(make_data()).cache().repeat()
    dataset = dataset.apply(tf.contrib.data.map_and_batch(augment, BATCH_SIZE, drop_remainder=True))
    return dataset.prefetch(1)


class Throughput(tf.train.SessionRunHook):
    def __init__(self):
        self.examples_per_second = []
        self._timer = tf.train.SecondOrStepTimer(every_steps=EVERY)

    def begin(self):
        self._global_step = tf.train.get_global_step()

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._global_step)

    def after_run(self, run_context, run_values):
        step = int(run_values.results)
        if self._timer.should_trigger_for_step(step):
            seconds, steps = self._timer.update_last_triggered_step(step)
            if seconds is not None:  # None at the first call, which starts the clock
                self.examples_per_second.append((steps, steps * BATCH_SIZE / seconds))


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    config = tf.estimator.RunConfig(log_step_count_steps=None)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    throughput = Throughput()
    estimator.train(input_fn, max_steps=STEPS, hooks=[throughput])
    return {
        "steps_measured": [steps for steps, _ in throughput.examples_per_second],
        "positive": all(rate > 0 for _, rate in throughput.examples_per_second),
        "kernel": estimator.get_variable_value("dense/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
