"""Evaluator task: evaluates each checkpoint of a training, in a separate process."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY = 10, 5
TF_CONFIG = {
    "cluster": {"chief": ["host0:2222"], "worker": ["host1:2222"], "ps": ["host2:2222"]},
    "task": {"type": "evaluator", "index": 0},
}


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(8)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    metrics = {"mae": tf.metrics.mean_absolute_error(labels, outputs)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def train(folder):
    """Trains, as the other tasks of the cluster do while the evaluator runs."""
    config = tf.estimator.RunConfig(save_checkpoints_steps=EVERY)
    tf.estimator.Estimator(model_fn, folder, config).train(input_fn, max_steps=STEPS)


def run_evaluator(folder):
    os.environ["TF_CONFIG"] = json.dumps(TF_CONFIG)
    estimator = tf.estimator.Estimator(model_fn, folder)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS),
        tf.estimator.EvalSpec(eval_input_fn, steps=None, start_delay_secs=0, throttle_secs=0),
    )
    return read_metrics(estimator.eval_dir())


def read_metrics(eval_dir):
    """Returns the metrics of each step, from the evaluator's summaries for TensorBoard."""
    (file,) = os.listdir(eval_dir)
    evaluated = {}
    for event in tf.train.summary_iterator(os.path.join(eval_dir, file)):
        for value in event.summary.value:
            evaluated.setdefault(event.step, {})[value.tag] = value.simple_value
    return evaluated


def main(folder):
    train(folder)
    evaluated = run_evaluator(folder)
    metrics = evaluated[STEPS]
    return {
        "steps": [int(step) for step in evaluated],
        "loss": float(metrics["loss"]),
        "mae": float(metrics["mae"]),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
