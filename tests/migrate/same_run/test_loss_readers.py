"""Tests for the readers of losses: each step has its loss, also with an evaluation in between."""

import numpy as np
import tf_keras

from migrate.same_run import gradients, loss_readers


class EvaluateEachBatch(tf_keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        self.model.evaluate(np.ones([2, 1]), np.ones([2, 1]), verbose=0)


def test_losses_of_keras_are_those_of_single_steps():
    x, y = np.zeros([6, 1]), np.arange(6.0)[:, np.newaxis]
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(tf_keras.optimizers.SGD(0.0), "mse")
    reader = loss_readers.keras_callback(model, gradients.Norms())
    model.fit(x, y, 2, epochs=2, shuffle=False, verbose=0, callbacks=[reader, EvaluateEachBatch()])
    assert [step for step, _ in reader.losses] == [1, 2, 3, 4, 5, 6]
    losses = np.array([loss for _, loss in reader.losses])
    np.testing.assert_allclose(losses, [0.5, 6.5, 20.5] * 2)
