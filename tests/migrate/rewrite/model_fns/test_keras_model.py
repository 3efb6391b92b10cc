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
        (
            base_program.OUT,
            "out = tf.layers.dense(tf.to_double(net), 1)",
            "its layers may compute in float64 (line 7)",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
