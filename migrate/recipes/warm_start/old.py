"""Initializes a job with the hidden layer of an earlier one, under another name."""

import os
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


def model_fn(features, labels, mode, params):
    kernel = tf.constant_initializer(np.linspace(-0.5, 0.5, 12).reshape(3, 4))
    net = tf.layers.dense(features, 4, tf.nn.relu, kernel_initializer=kernel, name=params["hidden"])
    outputs = tf.layers.dense(net, 1, kernel_initializer=tf.ones_initializer(), name="head")
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.MomentumOptimizer(0.01, 0.9)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def train(folder, hidden, warm_start_from=None):
    estimator = tf.estimator.Estimator(
        model_fn, folder, params={"hidden": hidden}, warm_start_from=warm_start_from
    )
    estimator.train(input_fn, max_steps=STEPS)
    return estimator


def main(folder):
    first = train(os.path.join(folder, "first"), "hidden")
    warm_start = tf.estimator.WarmStartSettings(
        first.latest_checkpoint(),
        vars_to_warm_start="body/(kernel|bias)",  # not the head, which keeps its initial values
        var_name_to_prev_var_name={"body/kernel": "hidden/kernel", "body/bias": "hidden/bias"},
    )
    second = train(os.path.join(folder, "second"), "body", warm_start)
    return {
        "first": first.get_variable_value("hidden/kernel").ravel().tolist(),
        "global_step": int(second.get_variable_value("global_step")),
        "body": second.get_variable_value("body/kernel").ravel().tolist(),
        "head": second.get_variable_value("head/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
