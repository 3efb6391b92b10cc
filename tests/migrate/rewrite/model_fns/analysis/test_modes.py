"""Tests for the statements of each mode: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "if mode == e.ModeKeys.PREDICT:",
            "if other.predicts(mode):",
            "may or may not return in line 8",
        ),
        (
            base_program.OUT,
            "training = mode != 'infer'\n    out = tf.layers.dropout(net, training=training)",
            "training depends on the mode",
        ),
        (base_program.OUT, f"{base_program.OUT} * y_pred", "the module's name y_pred"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
