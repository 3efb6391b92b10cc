"""Tests for learning rates that a function computes from the step."""

import pytest
import tensorflow as tf

from modern import porting
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


def test_an_optimizer_uses_the_rate_of_each_step():
    schedule = porting.Schedule(lambda step: 0.5 * tf.cast(step, tf.float64))
    optimizer = keras.optimizers.SGD(schedule)
    weight = tf.Variable(0.0)
    for _ in range(4):  # With the rates 0, 0.5, 1 and 1.5.
        optimizer.apply_gradients([(tf.constant(1.0), weight)])
    assert float(weight) == -3.0
    assert schedule(2).dtype == tf.float32
    assert porting.Schedule.from_config(schedule.get_config())(2) == 1.0
