"""Tests for reading and changing the state of optimizers."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate import batches
from migrate.verify.sides import legacy_model, port, slots
from tests.migrate.verify import tiny

tf1 = tf.compat.v1


def side_of(optimizer):
    side = port.Port(lambda: tiny.port(optimizer))
    side.build(batches.draw(tiny.input_fn, 1).items[0])
    return side


def test_finds_v1_slots_by_variable():
    old = legacy_model.Program(tiny.model_fn, {**tiny.params, "optimizer": "momentum"})
    with old.graph("train", batches.draw(tiny.input_fn, 1).specs) as graph:
        found = slots.of_graph(graph)

    shapes = {key: [part.shape for part in slot.parts] for key, slot in found.items()}
    assert shapes == {
        ("logits/kernel", "momentum"): [(4, 2)],
        ("logits/bias", "momentum"): [(2,)],
    }


def test_takes_the_v1_class_of_a_subclass():
    class Clipped(tf1.train.AdamOptimizer):
        pass

    assert slots.kind(Clipped(0.1)) == "Adam"
    assert slots.kind(tf1.train.GradientDescentOptimizer(0.1)) is None


@pytest.mark.parametrize(
    "optimizer",
    [tf_keras.optimizers.SGD(0.1, momentum=0.9), tf_keras.optimizers.legacy.SGD(0.1, momentum=0.9)],
    ids=["new", "legacy"],
)
def test_takes_steps_from_fixed_gradients(optimizer):
    side = side_of(optimizer)
    side.assign({"logits/bias": np.array([1, 1], np.float32)})
    take_step = slots.step_function(side, {"logits/bias": tf.constant([1.0, 0.0])})
    slot = slots.of_model(side)["logits/bias", "momentum"]
    np.testing.assert_array_equal(slot, [0, 0])

    take_step()
    take_step()
    # Keras' momentum sums the steps: -0.1, then 0.9 * -0.1 - 0.1.
    np.testing.assert_allclose(slot, [-0.19, 0], rtol=1e-6)
    np.testing.assert_allclose(side.read()["logits/bias"], [1 - 0.1 - 0.19, 1], rtol=1e-6)
    assert slots.momentum_of(side, "logits/bias") is side.model.optimizer


@pytest.mark.parametrize("kind", [tf_keras.optimizers.SGD, tf_keras.optimizers.legacy.Adam])
def test_reads_the_rate_of_a_schedule_at_the_step(kind):
    schedule = tf_keras.optimizers.schedules.PiecewiseConstantDecay([10], [0.5, 0.25])
    side = side_of(kind(schedule))
    optimizer = side.model.optimizer
    assert not slots.is_constant(optimizer)
    assert slots.learning_rate(optimizer) == 0.5
    slots.set_step(side.model, 11)
    assert slots.learning_rate(optimizer) == 0.25


def test_finds_an_optimizer_inside_of_another():
    side = side_of(None)
    inner = tf_keras.optimizers.SGD(0.1)
    side.model.optimizer = tf_keras.optimizers.Adam(0.1)
    side.model.optimizer.wrapped = inner
    assert slots.optimizers(side.model) == [side.model.optimizer, inner]
