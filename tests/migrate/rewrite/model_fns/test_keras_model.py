"""Tests for the statements of a class: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("net = features\n", "net = features * other.scale[mode]\n", "no value for mode"),
        (base_program.OUT, "out = tf.layers.batch_normalization(net)", "nothing runs UPDATE_OPS"),
        (
            base_program.OUT,
            "out = tf.contrib.layers.batch_norm(net, is_training=mode == e.ModeKeys.TRAIN)",
            "may be no image",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
