"""Tests for values that are known when a model is made: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (base_program.OUT, "out = tf.layers.dense(net, tf.shape(net)[1])", "depends on net"),
        (
            base_program.OUT,
            "out = tf.layers.dense(net, 1, bias_initializer=tf.constant_initializer(net.shape[1]))",
            "depends on net",
        ),
        (
            base_program.OUT,
            "size = net.shape[1]\n    size += 1\n    out = tf.layers.dense(net, size)",
            "depends on size",
        ),
        (
            base_program.OUT,
            "for size in net.shape:\n        net = tf.layers.dense(net, size)\n    out = net",
            "depends on net",
        ),
        (
            base_program.OUT,
            "if net is None:\n        net = tf.layers.dense(net, params['more'])\n    out = net",
            "only under a condition",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
