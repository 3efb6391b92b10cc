"""Tests for the loops, conditions and scopes around layers."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (
            "out = next(tf.layers.dense(net, 1) for _ in range(2))",
            "created inside a GeneratorExp",
        ),
        ("with other.scope():\n        out = tf.layers.dense(net, 1)", "created inside a With"),
        (
            "while True:\n        out = tf.layers.dense(net, 1)\n        break",
            "created inside a While",
        ),
        (
            "for i in range(2):\n        with tf.variable_scope('b'):\n"
            "            net = net * tf.Variable(tf.zeros([1]))\n    out = net",
            "created inside a With",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)


@pytest.mark.parametrize(
    ("scope", "name"),
    [
        ("params['scope']", "params['scope'] + \"/dense\""),
        ("params.scope", 'params.scope + "/dense"'),
        ("other.scope", '"dense"'),
    ],
)
def test_a_scope_that_params_name_is_part_of_the_names_of_layers(scope, name):
    layer = f"with tf.variable_scope({scope}):\n        {base_program.OUT}"
    text = base_program.BASE.replace(base_program.OUT, layer)
    text = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2")).text
    assert "(tf_keras.Model)" in text
    assert f"name={name})" in text


def _rewritten(out, head=""):
    text = base_program.BASE.replace(base_program.OUT, out).replace("import other\n", head)
    plan = tools.plan(api="v2")
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan).text


def test_a_scope_in_a_loop_becomes_a_part_of_the_names_of_layers():
    text = _rewritten(
        "for i in range(2):\n        with tf.variable_scope('b%d' % i):  # Two.\n"
        "            net = block(net, 5)\n            net = net * 2\n    out = net",
        "\ndef block(x, units):\n    return tf.layers.dense(x, units)\n",
    )
    assert "Block(units=5, names=names.inside('b%d' % i))" in text
    assert (
        "        # Two.\n        for block in self.block:\n            net = block(net)\n"
        "            net = net * 2\n" in text
    )


def test_a_scope_under_a_condition_becomes_a_part_of_the_names_of_layers():
    text = _rewritten(
        "if params['deep']:\n        with tf.variable_scope('deep'):\n"
        "            net = tf.layers.dense(net, 5)\n    out = net"
    )
    assert "        if params['deep']:\n            self.deep_dense = " in text
    assert "        if self.params['deep']:\n            net = self.deep_dense(net)\n" in text


def test_a_scope_with_a_name_needs_no_default_name():
    scope = (
        "with tf.variable_scope('net', 'default', [net]):\n        out = tf.layers.dense(net, 1)"
    )
    text = base_program.model_class((base_program.OUT, scope))
    assert 'self.net_dense = tf_keras.layers.Dense(1, name="net/dense")' in text
