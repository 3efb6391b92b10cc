"""Tests for operations that a method of a Keras model cannot do: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.OUT,
            'out = other.network(net, params["units"])',
            "other.network() in line 7",
        ),
        (base_program.OUT, "out = tf.assign(tf.Variable(1.0), net)", "tf.assign"),
        (
            base_program.OUT,
            f"net = -net if tf.distribute.has_strategy() else net\n    {base_program.OUT}",
            "has_strategy",
        ),
        (
            "    step =",
            "    loss /= tf.distribute.get_strategy().num_replicas_in_sync\n    step =",
            "tf.distribute.get_strategy",
        ),
        (
            base_program.OUT,
            "cell = tf.nn.rnn_cell.LSTMCell(3)\n    out = cell(net)[0]",
            "the cell in line 7 has other uses",
        ),
        (
            base_program.OUT,
            "out = tf.contrib.layers.batch_norm(net)",
            "tf.contrib.layers.batch_norm",
        ),
        (base_program.OUT, f"{base_program.OUT} + bias", "the name bias is not defined"),
        (base_program.OUT, "out = params['net'].build(net)", "params['net'].build()"),
        (base_program.OUT, f"{base_program.OUT}.assign_add(1.0)", "it assigns to the variable"),
        ("    loss =", "    labels = tf.layers.dense(labels, 1)\n    loss =", "tf.layers.dense"),
        (
            "    step =",
            "    loss += tf.contrib.crf.crf_log_likelihood(out, labels, 3)[0]\n    step =",
            "the transitions of labels in line 11 have no variable",
        ),
        ("mean_squared_error(labels, out)", "mean_squared_error(labels, other.f(out))", "other.f"),
        (
            "    step =",
            "    loss += tf.nn.l2_loss(tf.trainable_variables()[0])\n    step =",
            "by position",
        ),
        (
            "    step =",
            "    loss += sum(other.f(v) for v in tf.trainable_variables() if 'a/' in v.name)\n"
            "    step =",
            "by name",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
