"""Tests for the readers of losses: each step has its loss, also with an evaluation in between."""

import numpy as np
import pytest

from migrate.same_run import gradients, loss_readers
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


class EvaluateEachBatch(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        self.model.evaluate(np.ones([2, 1]), np.ones([2, 1]), verbose=0)


def test_losses_of_keras_are_those_of_single_steps():
    x, y = np.zeros([6, 1]), np.arange(6.0)[:, np.newaxis]
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    reader = loss_readers.keras_callback(keras, model, gradients.Norms(), lambda spec: "")
    model.fit(x, y, 2, epochs=2, shuffle=False, verbose=0, callbacks=[reader, EvaluateEachBatch()])
    assert [step for step, _ in reader.losses] == [1, 2, 3, 4, 5, 6]
    losses = np.array([loss for _, loss in reader.losses])
    np.testing.assert_allclose(losses, [0.5, 6.5, 20.5] * 2)


def _fit(x, y, callbacks):
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    callbacks = [make(model) for make in callbacks]
    history = model.fit(x, y, 1, shuffle=False, verbose=0, callbacks=callbacks)
    return callbacks, history.history["loss"]


def _reader(model):
    return loss_readers.keras_callback(keras, model, gradients.Norms(), lambda spec: "")


def test_a_small_loss_after_large_ones_is_exact():
    # In float32, the total of the losses before it absorbs the last one.
    x, y = np.zeros([3, 1]), np.array([[3000.0], [2000.0], [0.1]])
    (reader,), _ = _fit(x, y, [_reader])
    assert reader.losses[-1] == (3, np.float32(0.1) ** 2)


def test_the_program_sees_the_mean_of_an_epoch():
    x, y = np.zeros([3, 1]), np.array([[3.0], [2.0], [0.1]])
    _, losses = _fit(x, y, [_reader])
    assert losses == _fit(x, y, [])[1]


def test_the_initial_values_are_kept_before_the_first_step():
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(keras.optimizers.SGD(0.1), "mse")
    seen = []

    def keep(spec):
        seen.append((spec[0].shape.as_list(), int(model.optimizer.iterations.numpy())))
        return "kept"

    reader = loss_readers.keras_callback(keras, model, gradients.Norms(), keep)
    model.fit(np.ones([4, 3]), np.ones([4, 1]), 2, epochs=2, verbose=0, callbacks=[reader])
    assert (seen, reader.first) == ([([2, 3], 0)], "kept")
    assert len(reader.losses) == 4


class OwnLoss(keras.Model):
    """A model whose steps update a metric "loss" of its own, as that of Keras 3 stays at zero."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1, kernel_initializer="zeros")
        self.own = keras.metrics.Mean("loss")

    @property
    def metrics(self):
        return [*(metric for metric in super().metrics if metric is not self.own), self.own]

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        _, y = data
        self.own.update_state(y)
        return {"loss": self.own.result()}


def test_the_loss_is_that_of_the_metric_that_the_steps_update():
    x, y = np.zeros([3, 1]), np.array([[3.0], [2.0], [0.5]])
    model = OwnLoss()
    model.compile(keras.optimizers.SGD(0.0), "mse")
    reader = _reader(model)
    history = model.fit(x, y, 1, shuffle=False, verbose=0, callbacks=[reader])
    assert reader.losses == [(1, 3.0), (2, 2.0), (3, 0.5)]
    assert history.history["loss"] == [pytest.approx(5.5 / 3)]
