"""Tests of rates of false predictions."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import metrics

tf1 = tf.compat.v1

LABELS, PREDICTIONS = [1, 0, 0, 0, 1], [0.1, 0.9, 0.6, 0.2, 0.8]


def value_of(session, pair):
    session.run(tf1.local_variables_initializer())
    update = session.run(pair[1])
    value = session.run(pair[0])
    np.testing.assert_array_equal(value, update)
    return value


def test_rates(session):
    answers = tf.constant(np.array(PREDICTIONS) > 0.5)
    false_positive = metrics.streaming_false_positive_rate(answers, LABELS)
    false_negative = metrics.streaming_false_negative_rate(answers, LABELS)
    assert value_of(session, false_positive) == pytest.approx(2 / 3)
    assert value_of(session, false_negative) == pytest.approx(1 / 2)
    nothing = metrics.streaming_false_negative_rate(answers, [0] * 5)
    assert value_of(session, nothing) == 0


def test_rates_at_thresholds(session):
    thresholds = [0.15, 0.7]
    false_positive = metrics.streaming_false_positive_rate_at_thresholds(
        tf.constant(PREDICTIONS), LABELS, thresholds
    )
    false_negative = metrics.streaming_false_negative_rate_at_thresholds(
        tf.constant(PREDICTIONS), LABELS, thresholds
    )
    np.testing.assert_allclose(value_of(session, false_positive), [1, 1 / 3], rtol=1e-6)
    np.testing.assert_allclose(value_of(session, false_negative), [1 / 2, 1 / 2], rtol=1e-6)
