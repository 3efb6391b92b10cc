"""Writes scalars for TensorBoard every four steps: a custom one next to the loss."""

import os
import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY = 10, 4


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    tf.summary.scalar("error/largest", tf.reduce_max(tf.abs(labels - outputs)))
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    metrics = {"mae": tf.metrics.mean_absolute_error(labels, outputs)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def read_events(folder):
    """Returns the scalars that TensorBoard shows: tag to pairs of step and value."""
    found = {}
    for file in sorted(os.listdir(folder)):
        if "tfevents" in file:
            for event in tf.train.summary_iterator(os.path.join(folder, file)):
                for value in event.summary.value:
                    if value.HasField("simple_value"):
                        found.setdefault(value.tag, []).append([event.step, value.simple_value])
    return found


def main(folder):
    config = tf.estimator.RunConfig(save_summary_steps=EVERY, log_step_count_steps=EVERY)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    estimator.train(input_fn, max_steps=STEPS)
    estimator.evaluate(input_fn, steps=4)
    train = read_events(folder)
    speed = [step for step, _ in train.pop("global_step/sec")]
    return {"train": train, "speed": speed, "eval": read_events(os.path.join(folder, "eval"))}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
