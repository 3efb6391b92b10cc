"""Tests for the call of a model_fn."""

import pytest
import tensorflow as tf
import tf_keras

from migrate import bridge
from tests.migrate.bridge import small


@pytest.mark.parametrize(
    ("model_fn", "options", "words"),
    [
        (lambda labels, mode: None, {}, "no argument `features`"),
        (lambda features, mode: None, {"params": {"a": 1}}, "does not take them"),
        (small.model_fn, {"unknown_hooks": "skip"}, "unknown_hooks='skip'"),
    ],
)
def test_misuse_is_said_at_once(model_fn, options, words):
    with pytest.raises(bridge.BridgeError, match=words):
        bridge.KerasModelFn(model_fn, **options)


def test_empty_params_are_no_params():
    """{} is the default of --model_params, also for a model_fn without the argument `params`."""
    assert bridge.KerasModelFn(lambda features, mode: None, params={}) is not None


class Upright(tf_keras.layers.Layer):
    def call(self, inputs):
        if tf.reduce_sum(inputs) < 0:  # Of a tensor: AutoGraph makes it work.
            return -inputs
        return inputs


def test_autograph_converts_the_layers_of_a_model_fn():
    def model_fn(features, labels, mode, params):
        return small.model_fn({"x": Upright()(features["x"])}, labels, mode, params)

    model = bridge.KerasModelFn(model_fn)
    model.compile()
    history = model.fit(small.input_fn(), verbose=0)
    assert history.history["loss"][0] > 0
