"""Logs the loss every four steps, stops at step ten, and stops when the loss is NaN."""

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


def model_fn(features, labels, mode, params):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    tf.identity(loss, name="loss_to_log")
    optimizer = tf.train.GradientDescentOptimizer(params["learning_rate"])
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def trained(folder, learning_rate):
    logged = []

    def formatter(values):
        logged.append(float(values["loss"]))
        return "loss = {loss:.4f}".format(**values)

    hooks = [
        tf.train.LoggingTensorHook({"loss": "loss_to_log"}, EVERY, formatter=formatter),
        tf.train.StopAtStepHook(last_step=STEPS),
        # An Estimator adds its own NanTensorHook, which raises an error.
    ]
    estimator = tf.estimator.Estimator(model_fn, folder, params={"learning_rate": learning_rate})
    try:
        estimator.train(input_fn, hooks=hooks)
        ended = "stopped"
    except tf.train.NanLossDuringTrainingError:
        ended = "loss is no number"
    return {"ended": ended, "logged": logged}


def main(folder):
    found = trained(folder + "/good", 0.05)
    step = int(tf.train.load_variable(folder + "/good", "global_step"))
    return {"good": found, "step": step, "diverging": trained(folder + "/bad", 1e9)}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
