"""Tests of the linear scaling rule, the warm-up and the linear decay."""

import numpy as np
import pytest
import tensorflow as tf

from modern.optimizers import chosen, schedules
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


def test_the_linear_rule():
    assert schedules.scale(0.1, 8) == pytest.approx(0.8)


def test_warm_up_to_a_number():
    warm = schedules.WarmUp(0.8, start=0.1, steps=10)
    rates = [float(warm(tf.constant(step, tf.int64))) for step in (0, 5, 10, 11, 1000)]
    np.testing.assert_allclose(rates, [0.1, 0.45, 0.8, 0.8, 0.8], rtol=1e-6)


def test_warm_up_to_a_schedule_which_goes_on():
    decay = keras.optimizers.schedules.PiecewiseConstantDecay([20, 30], [0.8, 0.08, 0.008])
    warm = schedules.WarmUp(decay, start=0.0, steps=10)
    rates = [float(warm(tf.constant(step))) for step in (0, 5, 10, 20, 21, 31)]
    np.testing.assert_allclose(rates, [0.0, 0.4, 0.8, 0.8, 0.08, 0.008], rtol=1e-6)


def test_an_optimizer_follows_it():
    variable = tf.Variable(0.0)
    optimizer = chosen.SGD(schedules.WarmUp(1.0, start=0.0, steps=4))
    moves = []
    for _ in range(6):
        before = float(variable.numpy())
        optimizer.apply_gradients([(tf.constant(1.0), variable)])
        moves.append(before - float(variable.numpy()))
    np.testing.assert_allclose(moves, [0, 0.25, 0.5, 0.75, 1, 1], rtol=1e-6)


def test_linear_decay_ends_at_zero():
    decayed = schedules.LinearDecay(0.5, steps=10)
    rates = [float(decayed(tf.constant(step, tf.int64))) for step in (0, 4, 10, 12)]
    np.testing.assert_allclose(rates, [0.5, 0.3, 0.0, 0.0], atol=1e-7)


def test_linear_decay_of_a_schedule():
    warm = schedules.WarmUp(0.8, start=0.0, steps=5)
    decayed = schedules.LinearDecay(warm, steps=10)
    rates = [float(decayed(tf.constant(step))) for step in (0, 5, 8)]
    np.testing.assert_allclose(rates, [0.0, 0.4, 0.16], rtol=1e-6)
    assert decayed.get_config() == {"rate": warm, "steps": 10}


def test_its_arguments_come_back():
    warm = schedules.WarmUp(0.8, start=0.1, steps=10)
    again = schedules.WarmUp.from_config(warm.get_config())
    assert float(again(5)) == float(warm(5))
