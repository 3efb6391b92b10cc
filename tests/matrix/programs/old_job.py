"""A regression with tf.estimator, as programs of 2018 are written.

    python -m legacy.run old_job.py MODEL_DIR STEPS

Also the model_fn and the input functions for `migrate train`.
"""

import json
import os
import sys

import numpy as np
import tensorflow as tf


def data():
    features = np.random.RandomState(0).rand(512, 4).astype(np.float32)
    targets = features.dot([[1.0], [-2.0], [3.0], [0.5]]) + 0.25
    return {"x": features}, targets.astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(data()).shuffle(512, seed=1).repeat().batch(32)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(data()).batch(64)


def model_fn(features, labels, mode, params):
    hidden = tf.layers.dense(features["x"], 16, tf.nn.relu, name="hidden")
    outputs = tf.layers.dense(hidden, 1, name="outputs")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"outputs": outputs})
    loss = tf.losses.mean_squared_error(labels, outputs)
    if mode == tf.estimator.ModeKeys.EVAL:
        mae = tf.metrics.mean_absolute_error(labels, outputs)
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"mae": mae})
    optimizer = tf.train.AdamOptimizer(params["learning_rate"])
    train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(model_dir, steps):
    config = tf.estimator.RunConfig(model_dir)
    estimator = tf.estimator.Estimator(model_fn, config=config, params={"learning_rate": 0.02})
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=steps),
        tf.estimator.EvalSpec(eval_input_fn),
    )
    if config.is_chief:
        results = {name: float(value) for name, value in estimator.evaluate(eval_input_fn).items()}
        with open(os.path.join(model_dir, "evaluation.json"), "w") as file:
            json.dump(results, file)


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.INFO)
    main(sys.argv[1], int(sys.argv[2]))
