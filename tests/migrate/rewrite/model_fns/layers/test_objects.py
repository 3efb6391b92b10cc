"""Tests for the layers of a forward pass, which become objects."""

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
