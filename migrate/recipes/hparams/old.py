"""Hyperparameters with defaults, overridden from the command line and from a dictionary."""

import json
import tempfile

import numpy as np
import tensorflow as tf

STEPS = 5
COMMAND_LINE = "learning_rate=0.05,hidden=[4,2],activation=relu"


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def default_hparams():
    return tf.contrib.training.HParams(
        learning_rate=0.1, hidden=[8], activation="tanh", momentum=0.0
    )


def parse(hparams, text):
    return hparams.parse(text)


def refused(hparams, text):
    try:
        parse(hparams, text)
    except ValueError:
        return True
    return False


def model_fn(features, labels, mode, params):
    net = features
    for units in params.hidden:
        kernel = tf.constant_initializer(np.full([int(net.shape[1]), units], 0.1))
        net = tf.layers.dense(net, units, params.activation, kernel_initializer=kernel)
    outputs = tf.layers.dense(net, 1, kernel_initializer=tf.ones_initializer(), name="outputs")
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.MomentumOptimizer(params.learning_rate, params.momentum)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    hparams = parse(default_hparams(), COMMAND_LINE)
    hparams.override_from_dict({"momentum": 0.5})
    written = json.loads(hparams.to_json())
    hparams.activation = getattr(tf.nn, hparams.activation)
    estimator = tf.estimator.Estimator(model_fn, folder, params=hparams)
    estimator.train(input_fn, max_steps=STEPS)
    return {
        "written": written,
        "unknown_name": refused(default_hparams(), "lerning_rate=1.0"),
        "wrong_type": refused(default_hparams(), "learning_rate=fast"),
        "kernel": estimator.get_variable_value("outputs/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
