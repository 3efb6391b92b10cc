"""Tests for the layers of a forward pass, which become objects."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


def test_statements_that_only_objects_need_are_no_part_of_the_call():
    lines = (
        "width = 2 * params['units']\n    out = tf.layers.dense(net, width)\n"
        "    unused = tf.layers.dense(net, 1) * 2"
    )
    text = base_program.model_class((base_program.OUT, lines))
    init, _, call = text.partition("    def call(")
    assert "width = 2 * params['units']" in init
    assert "width" not in call.partition("    def ")[0]


def test_calls_inside_of_calls_become_objects():
    lines = "out = tf.layers.dense(tf.layers.dense(net, 2, name='a'), 1, name='b')"
    text = base_program.model_class((base_program.OUT, lines))
    assert "out = self.b(self.a(net))" in text


@pytest.mark.parametrize(
    ("unused", "is_refused"),
    [
        ("tf.layers.dense(net, 2)", True),
        ("tf.layers.dense(net, 2, name='a')", False),
        ("tf.layers.conv1d(net, 2, 1)", False),
        ("tf.layers.dropout(net)", False),
    ],
)
def test_an_unused_layer_does_not_change_the_names_of_others(unused, is_refused):
    lines = f"other_net = {unused}\n    {base_program.OUT}"
    if is_refused:
        reason = base_program.refusal(base_program.OUT, lines)
        assert "nothing uses the layer in line 7, but the name of the layer in line 8" in reason
        return
    text = base_program.model_class((base_program.OUT, lines))
    assert 'self.dense = tf_keras.layers.Dense(params["units"], name="dense")' in text


def test_an_unused_layer_after_the_others_has_no_effect():
    lines = f"{base_program.OUT}\n    unused = tf.layers.dense(net, 2)"
    assert 'name="dense")' in base_program.model_class((base_program.OUT, lines))
