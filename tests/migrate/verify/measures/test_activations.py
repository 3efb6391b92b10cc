"""Tests for finding the layers' outputs in the old graph."""

import pytest
import tensorflow as tf
import tf_keras

from migrate.verify.measures import activations
from tests.migrate.verify import tiny, tiny_runs


@pytest.mark.parametrize(
    ("activation", "states", "nearest"),
    [
        (None, [activations.SAME, activations.SAME], "logits/BiasAdd:0"),
        ("softmax", [activations.SAME, activations.SAME], "softmax(logits/BiasAdd:0)"),
        ("relu", [activations.OFF, activations.BEFORE], "logits/BiasAdd:0"),
    ],
)
def test_names_the_tensor_of_a_layer(activation, states, nearest):
    with tiny_runs.opened(lambda: tiny.port(activation=activation)) as case:
        layers = activations.compare(case, "eval")

    assert layers.states == states
    assert [call.layer for call in layers.calls][1:] == ["logits"]
    assert layers.nearest(1).what == nearest


def test_a_layer_of_another_size_has_no_like():
    with tiny_runs.opened() as case:
        case.port.model.add(tf_keras.layers.Lambda(lambda x: tf.repeat(x, 7, 1), name="seven"))
        layers = activations.compare(case, "eval")

    assert [call.layer for call in layers.calls][1:] == ["logits", "seven"]
    assert layers.states[1:] == [activations.SAME, activations.NONE]
