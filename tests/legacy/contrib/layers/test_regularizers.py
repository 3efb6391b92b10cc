"""Tests of regularizers."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1

WEIGHTS = [[1.0, -2.0], [3.0, 0.0]]


@pytest.mark.parametrize(
    ("regularizer", "expected"),
    [
        (layers.l1_regularizer(0.5), 0.5 * 6),
        (layers.l2_regularizer(0.5), 0.5 * 14 / 2),
        (layers.l1_l2_regularizer(0.5, 0.1), 0.5 * 6 + 0.1 * 14 / 2),
        (layers.l1_l2_regularizer(0.0, 0.1), 0.1 * 14 / 2),
        (layers.sum_regularizer([None, layers.l1_regularizer(0.5)]), 0.5 * 6),
    ],
)
def test_values(session, regularizer, expected):
    weights = tf.constant(WEIGHTS)
    assert session.run(regularizer(weights)) == pytest.approx(expected)
    total = layers.apply_regularization(regularizer, [weights, weights])
    assert session.run(total) == pytest.approx(2 * expected)
    assert tf1.losses.get_regularization_losses() == [total]


def test_scales():
    assert layers.l2_regularizer(0.0)(tf.constant(WEIGHTS)) is None
    assert layers.sum_regularizer([None]) is None
    with pytest.raises(ValueError, match="scale cannot be an integer: 1; write 1.0"):
        layers.l1_regularizer(1)
    with pytest.raises(ValueError, match="scale less than 0"):
        layers.l1_l2_regularizer(-1.0)
