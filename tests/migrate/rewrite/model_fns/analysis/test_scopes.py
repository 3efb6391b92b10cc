"""Tests for variable scopes and their reuse: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.OUT,
            "with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
            "        net = tf.layers.dense(net, 1, name='b')\n"
            "    with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
            "        out = tf.layers.dense(net, 1, name='b')",
            "may reuse the variables",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
