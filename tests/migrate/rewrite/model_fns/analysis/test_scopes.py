"""Tests for variable scopes: layers that share variables, and names that depend on the mode."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

AUTO = "with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n        "
HELPER = """\
def f(x, share=False):
    with tf.variable_scope("f", reuse=share):
        return tf.layers.dense(x, 1)

def model_fn("""


def rewritten(new, helper="def model_fn("):
    """Returns the program with another forward pass as a Keras model."""
    text = base_program.BASE.replace(base_program.OUT, new).replace("def model_fn(", helper)
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2")).text


@pytest.mark.parametrize(
    "new",
    [
        f"{AUTO}net = tf.layers.dense(net, 1)\n    {AUTO}out = tf.layers.dense(net, 1)",
        f"{AUTO}net = tf.layers.dense(net, 1, name='dense')\n"
        f"    {AUTO}out = tf.layers.dense(net, 1)",
        "with tf.variable_scope('a'):\n        net = tf.layers.dense(net, 1)\n"
        "    with tf.variable_scope('a', reuse=True):\n        out = tf.layers.dense(net, 1)",
        "with tf.variable_scope('a') as scope:\n"
        "        net = tf.layers.dense(net, 1, name='dense')\n"
        "        scope.reuse_variables()\n"
        "        out = tf.layers.dense(net, 1, name='dense')",
        "net = tf.layers.dense(net, 1, name='a/dense')\n"
        "    out = tf.layers.dense(net, 1, name='a/dense', reuse=True)",
        "with tf.variable_scope('a'):\n"
        "        net = tf.layers.dense(net, 1, name='dense')\n"
        "        tf.get_variable_scope().reuse_variables()\n"
        "        net = tf.layers.dense(net, 1, name='dense')\n"
        "    out = net",
        "with tf.variable_scope('a'):\n"
        "        if mode == e.ModeKeys.TRAIN:\n            out = tf.layers.dense(net, 1)\n"
        "        else:\n            out = tf.layers.dense(net * 2, 1)",
        "for i in range(3):\n        with tf.variable_scope('a', reuse=i > 0):\n"
        "            net = tf.layers.dense(net, 1)\n    out = net",
        "for i in range(3):\n        with tf.variable_scope('a', reuse=i > 0):\n"
        "            net = tf.contrib.layers.fully_connected(net, 1, scope='dense')\n    out = net",
    ],
)
def test_calls_with_one_name_share_a_layer(new):
    text = rewritten(new)
    assert text.count("layers.Dense(") == 1
    assert 'name="a/dense"' in text


@pytest.mark.parametrize("call", ["f(f(net, False), True)", "f(f(net), share=tf.AUTO_REUSE)"])
def test_calls_of_a_helper_share_a_layer(call):
    text = rewritten(f"out = {call}", HELPER)
    assert text.count("layers.Dense(") == 1
    assert 'name="f/dense"' in text


def test_branches_share_the_layers_of_a_helper():
    helper = "def f(x):\n    return tf.layers.dense(x, 1)\n\ndef model_fn("
    branches = (
        "if mode == e.ModeKeys.TRAIN:\n        out = f(net)\n    else:\n        out = f(net * 2)"
    )
    assert rewritten(branches, helper).count("= F(") == 1


def test_branches_share_keras_layers():
    branches = (
        "if mode == e.ModeKeys.TRAIN:\n        out = tf.keras.layers.Dense(1)(net)\n"
        "    else:\n        out = tf.keras.layers.Dense(1)(net * 2)"
    )
    assert rewritten(branches).count("layers.Dense(") == 1


def test_keras_layers_share_no_variables():
    layer = "tf.keras.layers.Dense(1)(net)"
    text = rewritten(f"{AUTO}net = {layer}\n    {AUTO}out = {layer}")
    assert text.count("layers.Dense(") == 2


def test_scopes_with_default_names_have_numbers():
    scope = "with tf.variable_scope(None, default_name='a'):\n        "
    text = rewritten(
        f"{scope}net = tf.layers.dense(net, 1)\n    {scope}out = tf.layers.dense(net, 1)"
    )
    assert 'name="a/dense"' in text
    assert 'name="a_1/dense"' in text


def test_the_current_scope_adds_no_name():
    text = rewritten(
        "with tf.variable_scope(tf.get_variable_scope()):\n"
        "        net = tf.layers.dense(net, 1)\n    out = tf.layers.dense(net, 1)"
    )
    assert 'name="dense"' in text
    assert 'name="dense_1"' in text


def test_numbers_start_again_in_each_scope():
    first = "net = tf.layers.dense(tf.layers.dense(net, 2), 1)"
    text = rewritten(f"{AUTO}{first}\n    {AUTO}{first}\n    out = net")
    assert text.count("layers.Dense(") == 2
    assert 'name="a/dense_1"' in text


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (
            f"{AUTO}net = tf.layers.dense(net, 1, name='b')\n"
            f"    {AUTO}out = tf.layers.dense(net, 1, tf.nn.relu, name='b')",
            "have other arguments",
        ),
        (
            "if params['deep']:\n        "
            + AUTO.replace("\n", "\n    ")
            + "net = tf.layers.dense(net, 1)\n    "
            + AUTO
            + "out = tf.layers.dense(net, 1)",
            "may not exist",
        ),
        (
            "with tf.variable_scope(params['a'], reuse=tf.AUTO_REUSE):\n"
            "        net = tf.layers.dense(net, 1)\n"
            "    with tf.variable_scope(params['b'], reuse=tf.AUTO_REUSE):\n"
            "        out = tf.layers.dense(net, 1)",
            "may reuse the variables of another layer",
        ),
        (
            "with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
            "        for _ in range(2):\n            net = tf.layers.dense(net, 1)\n"
            f"    {AUTO}out = tf.layers.dense(net, 1)",
            "may reuse the variables of another layer",
        ),
        (
            "out = net\n    if mode == e.ModeKeys.TRAIN:\n        out = tf.layers.dense(net, 1)\n"
            "    out = tf.layers.dense(out, 1)",
            "depends on the mode",
        ),
        (
            "out = net\n    if mode == e.ModeKeys.TRAIN:\n"
            "        out = tf.keras.layers.Dense(1)(out)\n"
            "    out = tf.keras.layers.Dense(1)(out)",
            "depends on the mode",
        ),
        (
            "if mode == e.ModeKeys.TRAIN:\n"
            "        with tf.variable_scope(None, default_name='a'):\n"
            "            out = tf.layers.dense(net, 1)\n"
            "    else:\n"
            "        with tf.variable_scope(None, default_name='a'):\n"
            "            out = tf.layers.dense(net * 2, 1)",
            "created inside a With",
        ),
        (
            "with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE):\n"
            "        out = tf.layers.dense(net, 1)",
            "created inside a With",
        ),
        (
            "if mode == e.ModeKeys.TRAIN:\n        out = tf.layers.dense(net, 1, tf.nn.relu)\n"
            "    else:\n        out = tf.layers.dense(net, 1)",
            "have other arguments",
        ),
    ],
)
def test_variables_that_may_be_shared_are_refused(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)
