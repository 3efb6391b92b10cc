"""Tests for Keras layers that a model_fn makes and calls at once."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("out = tf.keras.layers.Dense(1, **net)(net)", "with **kwargs"),
        ("out = tf.keras.layers.Dense(*net)(net)", "with *args"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)


def test_a_layer_is_made_once_and_called():
    layer = "out = tf.keras.layers.Dense(params['units'], name='last')(net)"
    text = base_program.model_class((base_program.OUT, layer))
    assert "self.last = tf_keras.layers.Dense(params['units'], name=\"last\")" in text
    assert "out = self.last(net)" in text
