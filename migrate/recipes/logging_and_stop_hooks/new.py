"""Logs the loss and stops, at step ten or when the loss is NaN, by callbacks."""

import logging
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY = 10, 4


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def build_model(learning_rate):
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(learning_rate), loss="mse")
    return model


class NanLossDuringTrainingError(RuntimeError):
    pass


class LogLoss(tf_keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.logged = []

    def on_train_batch_begin(self, batch, logs=None):
        self.model.reset_metrics()  # otherwise the loss is the mean of the epoch so far

    def on_train_batch_end(self, batch, logs=None):
        if np.isnan(logs["loss"]):
            raise NanLossDuringTrainingError("the loss is no number")
        if batch % EVERY == 0:
            self.logged.append(float(logs["loss"]))
            logging.info("loss = %.4f", logs["loss"])


def trained(model):
    log = LogLoss()
    try:
        # `fit` knows the last step. A callback can also set model.stop_training.
        model.fit(input_fn(), steps_per_epoch=STEPS, callbacks=[log], verbose=0)
        ended = "stopped"
    except NanLossDuringTrainingError:
        ended = "loss is no number"
    return {"ended": ended, "logged": log.logged}


def main(folder):
    model = build_model(0.05)
    found = trained(model)
    step = int(model.optimizer.iterations.numpy())
    return {"good": found, "step": step, "diverging": trained(build_model(1e9))}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
