"""Tests for the arithmetic of v1 optimizers in tf_keras, with values computed by hand."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern.optimizers import classic


def applied(optimizer, *gradients):
    """Returns a weight that was 1 after steps with these gradients, and the optimizer's slots."""
    weight = tf.Variable([1.0])
    for gradient in gradients:
        optimizer.apply_gradients([(tf.constant([gradient]), weight)])
    slots = {name: optimizer.get_slot(weight, name) for name in optimizer.get_slot_names()}
    return float(weight[0]), {name: float(slot[0]) for name, slot in slots.items()}


# The sums are 1 and 1.5. Nesterov's steps are the gradient and half of the sum.
@pytest.mark.parametrize(("nesterov", "steps"), [(False, 1 + 1.5), (True, 1.5 + 1.75)])
def test_momentum_sums_gradients_without_the_rate(nesterov, steps):
    weight, slots = applied(classic.Momentum(0.1, 0.5, nesterov), 1.0, 1.0)
    assert slots == {"momentum": 1.5}
    assert weight == pytest.approx(1 - 0.1 * steps)


@pytest.mark.parametrize("centered", [False, True])
def test_rmsprop_starts_with_ones_and_has_epsilon_within_the_root(centered):
    optimizer = classic.RMSProp(0.1, 0.75, epsilon=0.5, centered=centered)
    weight, slots = applied(optimizer, 2.0)
    square, mean = 0.75 + 0.25 * 4, 0.25 * 2
    assert slots["rms"] == pytest.approx(square)
    variance = square - mean**2 if centered else square
    assert weight == pytest.approx(1 - 0.1 * 2 / np.sqrt(variance + 0.5))


def test_proximal_gradient_descent_shrinks_after_the_step():
    weight, slots = applied(classic.ProximalGradientDescent(0.1, l1=1.0, l2=2.0), 3.0)
    assert slots == {}
    assert weight == pytest.approx((1 - 0.3 - 0.1) / (1 + 0.1 * 2))


def test_proximal_adagrad_divides_the_rate_by_the_root_of_the_sum():
    optimizer = classic.ProximalAdagrad(0.5, initial_accumulator_value=16.0, l1=1.0, l2=2.0)
    weight, slots = applied(optimizer, 3.0)
    assert slots == {"accumulator": 25.0}
    rate = 0.5 / 5
    assert weight == pytest.approx((1 - rate * 3 - rate) / (1 + rate * 2))


def rows_applied(optimizer, steps=2):
    """Returns three rows that were 1 after steps, of which only the last one has a gradient."""
    weight = tf.Variable([[1.0], [1.0], [1.0]])
    # The gradients of equal indices add up.
    gradient = tf.IndexedSlices(tf.constant([[1.0], [0.5]]), tf.constant([2, 2]), [3, 1])
    for step in range(steps):
        first = tf.IndexedSlices(tf.constant([[2.0]]), tf.constant([0]), [3, 1])
        optimizer.apply_gradients([(gradient if step else first, weight)])
    return weight.numpy()[:, 0].tolist()


def test_lazy_adam_leaves_rows_without_a_gradient():
    options = {"learning_rate": 0.1, "beta_1": 0.5, "beta_2": 0.75}
    rows = rows_applied(classic.LazyAdam(**options, epsilon=0.0))
    # The first step moves by the rate. In the second one, the corrections are 0.75 and 0.4375.
    step = 0.1 * np.sqrt(0.4375) / 0.75 * (0.5 * 1.5) / np.sqrt(0.25 * 1.5**2)
    assert rows == pytest.approx([0.9, 1.0, 1 - step])
    keras = tf_keras.optimizers.legacy.Adam(**options, epsilon=1e-30)
    assert rows_applied(keras)[0] != pytest.approx(0.9)
    assert applied(classic.LazyAdam(**options), 1.0, 3.0) == applied(
        tf_keras.optimizers.legacy.Adam(**options, epsilon=1e-8), 1.0, 3.0
    )


def test_adamw_subtracts_a_fraction_that_the_rate_does_not_scale():
    weight, _ = applied(classic.AdamW(0.25, 0.1, epsilon=1e-30), 3.0)
    assert weight == pytest.approx(0.75 - 0.1)
    rows = rows_applied(classic.AdamW(0.25, 0.1, epsilon=1e-30), steps=1)
    assert rows == pytest.approx([0.75 - 0.1, 1.0, 1.0])


@pytest.mark.parametrize(
    "optimizer",
    [
        classic.Momentum(0.2, 0.7, use_nesterov=True),
        classic.RMSProp(0.2, 0.8, 0.3, 1e-3, centered=True),
        classic.ProximalAdagrad(0.2, 0.3, 0.1, 0.2),
        classic.LazyAdam(0.2, 0.7, 0.8, 1e-3),
        classic.AdamW(0.3, 0.2, 0.7, 0.8, 1e-3),
    ],
    ids=lambda optimizer: type(optimizer).__name__,
)
def test_a_config_makes_the_same_optimizer(optimizer):
    again = type(optimizer).from_config(optimizer.get_config())
    assert applied(again, 1.0, -2.0) == applied(optimizer, 1.0, -2.0)


def test_files_of_earlier_versions_find_their_optimizer():
    name = {"class_name": "migrate.bridge>Momentum", "config": {"learning_rate": 0.2}}
    optimizer = tf_keras.optimizers.deserialize(name, use_legacy_optimizer=True)
    assert isinstance(optimizer, classic.Momentum)
