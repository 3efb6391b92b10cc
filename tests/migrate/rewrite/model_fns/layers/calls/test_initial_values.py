"""Tests for variables that are made from initial values: texts, and refusals."""

import ast

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.layers.calls import initial_values
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


def read(text, name="tf.Variable"):
    return initial_values.read(ast.parse(text, mode="eval").body, name)


def test_equal_names_are_numbered():
    assert read("tf.Variable(x)").kind == "Variable"
    variable = read("tf.Variable(x, False, name='w', dtype=tf.float32)")
    assert (variable.kind, variable.name) == ("w", None)
    assert [*variable.arguments] == ["0", "trainable", "dtype"]
    assert read("tf.Variable(x, name=n)").name.id == "n"


def test_a_variable_of_a_scope_may_have_a_value_instead_of_a_shape():
    variable = read("tf.get_variable('w', initializer=x, trainable=False)", "tf.get_variable")
    assert [*variable.arguments] == ["0", "trainable"]
    assert not variable.is_scoped
    assert read("tf.get_variable('w', [3], initializer=x)", "tf.get_variable") is None
    assert read("tf.zeros([3])", "tf.zeros") is None


@pytest.mark.parametrize(
    "text",
    [
        "tf.Variable()",
        "tf.Variable(*x)",
        "tf.Variable(x, True, None)",
        "tf.Variable(x, collections=[c])",
        "tf.Variable(x, validate_shape=False)",
        "tf.Variable(lambda: x)",
    ],
)
def test_other_arguments_are_refused(text):
    with pytest.raises(NotUnderstood, match="the variable in line 1"):
        read(text)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("out = tf.Variable(tf.zeros([1])) * net * tf.Variable(net)", "depends on net"),
        ("out = tf.Variable(1.0) * net\n    tf.assign(out, net)", "may have side effects"),
        ("w = tf.Variable(1.0)\n    w.assign_add(net)\n    out = w * net", "side effects"),
        (
            "out = next(tf.Variable(float(i)) for i in range(3)) * net",
            "created inside a GeneratorExp",
        ),
    ],
)
def test_variables_that_are_not_understood_are_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)


def test_a_function_that_shares_some_variables_makes_the_others_in_each_call():
    function = (
        "def f(x):\n    with tf.variable_scope('s', reuse=tf.AUTO_REUSE):\n"
        "        x = tf.layers.dense(x, 1)\n        return x * tf.Variable(1.0)\n\ndef model_fn("
    )
    text = base_program.BASE.replace("def model_fn(", function)
    text = text.replace(base_program.OUT, "out = f(f(net))")
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    for name in ("s/dense", "s/Variable", "s_1/Variable"):
        assert outcome.text.count(f'name="{name}"') == 1


def test_a_scope_that_is_opened_again_has_a_number():
    function = (
        "def f(x):\n    with tf.name_scope('s'):\n"
        "        return x * tf.Variable(1.0, name='w')\n\ndef model_fn("
    )
    text = base_program.BASE.replace("def model_fn(", function)
    twice = text.replace(base_program.OUT, "out = f(f(net))")
    outcome = fixed_point.rewrite(twice, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    assert 'name="s/w"' in outcome.text
    assert 'name="s_1/w"' in outcome.text
    looped = text.replace(
        base_program.OUT, "for _ in range(2):\n        net = f(net)\n    out = net"
    )
    outcome = fixed_point.rewrite(looped, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    assert outcome.text == looped
