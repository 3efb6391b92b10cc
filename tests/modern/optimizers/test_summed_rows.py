"""Tests that optimizers of Keras 3 take the same step for a row that a batch has twice."""

import numpy as np
import pytest
import tensorflow as tf

from modern.optimizers import summed_rows
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(3)
NAMES = ("Adam", "AdamW", "Nadam", "RMSprop", "Adadelta")
IDS, VALUES = [1, 0, 1], [[2.0, 2.0], [1.0, 0.5], [3.0, -1.0]]
SUMS = [[1.0, 0.5], [5.0, 1.0], [0.0, 0.0]]


def trained(optimizer, gradient, strategy=None):
    """Returns a table of three rows after two steps."""
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        table = keras.Variable(np.ones((3, 2), np.float32))
        optimizer.build([table])

    @tf.function
    def step():
        strategy.run(lambda: optimizer.apply([gradient()], [table]))

    for _ in range(2):
        step()
    return table.numpy()


def rows():
    return tf.IndexedSlices(tf.constant(VALUES), tf.constant(IDS), tf.constant([3, 2]))


@pytest.mark.parametrize("make", [tf.distribute.get_strategy, tf.distribute.MirroredStrategy])
@pytest.mark.parametrize("name", NAMES)
def test_a_row_that_comes_twice_gets_the_step_of_its_sum(name, make):
    strategy = make()
    with strategy.scope():
        ours = getattr(summed_rows, name)(0.1)
        plain = getattr(keras.optimizers, name)(0.1)
    found = trained(ours, rows, strategy)
    expected = trained(plain, lambda: tf.constant(SUMS), strategy)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_keras_itself_takes_another_step(name):
    """This is why these classes exist."""
    found = trained(getattr(keras.optimizers, name)(0.1), rows)
    expected = trained(getattr(keras.optimizers, name)(0.1), lambda: tf.constant(SUMS))
    assert np.abs(found - expected)[1].max() > 1e-6


def test_a_saved_model_finds_its_optimizer(tmp_path):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile(summed_rows.Adam(0.25), "mse")
    model.optimizer.build(model.trainable_variables)
    model.save(tmp_path / "m.keras")
    loaded = keras.saving.load_model(tmp_path / "m.keras")
    assert type(loaded.optimizer) is summed_rows.Adam
    assert float(loaded.optimizer.learning_rate) == 0.25
