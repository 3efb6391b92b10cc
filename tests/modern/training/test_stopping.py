"""Tests of the reasons to end a training."""

import numpy as np
import pytest
import tensorflow as tf

from modern.process.chosen_keras import keras
from modern.training import stopping

pytestmark = pytest.mark.keras(2, 3)


@pytest.mark.parametrize(
    ("value", "trainable", "expected"),
    [(np.nan, True, True), (np.inf, True, False), (np.nan, False, False)],
)
def test_one_trainable_weight_that_is_nan(value, trainable, expected):
    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(2)])
    model.layers[0].trainable = trainable
    model.layers[0].bias.assign([0.0, value])
    assert stopping.has_nan_weights(model) is expected


def test_an_error_is_that_of_the_hook_and_says_the_step():
    error = stopping.DivergedError(12_345, "loss")
    assert isinstance(error, tf.compat.v1.train.NanLossDuringTrainingError)
    assert str(error).startswith("Model diverged with loss = NaN at step 12,345.")
