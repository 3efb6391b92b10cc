"""Tests for Keras layers in a model_fn: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.OUT,
            "part = tf.keras.Sequential([tf.keras.layers.BatchNormalization()])\n"
            "    out = part(net)",
            "never updated the averages",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
