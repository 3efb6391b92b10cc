"""Tests for layers that become objects: refusals and their reasons."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (base_program.OUT, "out = tf.layers.dense(net, 1, reuse=True)", "reuse"),
        (
            base_program.OUT,
            "out = tf.layers.dense(*net)",
            "tf.layers.dense is called with *args or **kwargs",
        ),
        (
            base_program.OUT,
            "out = tf.layers.dense(net, **net)",
            "tf.layers.dense is called with *args or **kwargs",
        ),
        (
            base_program.OUT,
            "out = tf.layers.dense(units=1)",
            "tf.layers.dense in line 7 lacks its inputs",
        ),
        (base_program.OUT, "out = tf.keras.layers.Dense(1, **net)(net)", "with **kwargs"),
        (
            base_program.OUT,
            "out = next(tf.layers.dense(net, 1) for _ in range(2))",
            "created inside a GeneratorExp",
        ),
        (
            base_program.OUT,
            "out = tf.layers.batch_normalization(net, training=True)",
            "always normalizes as in training",
        ),
        (
            base_program.OUT,
            "part = tf.keras.layers.Dense(1)\n    net = part(net)\n"
            "    part = tf.keras.layers.Dense(2)\n    out = part(net)",
            "more than once",
        ),
        (
            base_program.OUT,
            "with other.scope():\n        out = tf.layers.dense(net, 1)",
            "created inside a With",
        ),
        (
            base_program.OUT,
            "while True:\n        out = tf.layers.dense(net, 1)\n        break",
            "created inside a While",
        ),
        (
            base_program.OUT,
            "for i in range(2):\n        net = net * tf.get_variable('w', [1])\n    out = net",
            "the name of the variable",
        ),
        (
            base_program.OUT,
            "out = net * tf.get_variable(features.name, [1])",
            "depends on features",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


def test_arguments_that_switch_a_feature_off_are_no_obstacle():
    arguments = "activity_regularizer=None, reuse=False"
    text = base_program.BASE.replace(
        base_program.OUT, f"out = tf.layers.dense(net, 1, {arguments})"
    )
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    layer = 'tf_keras.layers.Dense(1, activity_regularizer=None, name="dense")'
    assert layer in outcome.text


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


def test_a_loss_of_activities_stays_with_its_layer():
    """Keras divides it by the batch size, as tf.layers does."""
    layer = base_program.OUT.replace(")", ", activity_regularizer=tf.nn.l2_loss)")
    text = base_program.model_class(
        (base_program.OUT, layer),
        ("    step =", "    loss += tf.losses.get_regularization_loss()\n    step ="),
    )
    assert "activity_regularizer=tf.nn.l2_loss," in text
    assert "loss += sum(self.losses)" in text


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


def test_a_loop_makes_no_variables_in_numbered_scopes():
    reason = base_program.refusal(
        base_program.OUT,
        "for i in range(2):\n        with tf.variable_scope('b'):\n"
        "            net = net * tf.Variable(tf.zeros([1]))\n    out = net",
    )
    assert "created inside a With" in reason


def test_the_size_of_a_layer_may_come_from_a_shape():
    text = _rewritten("out = tf.layers.conv1d(net, net.shape[-1], 3, name='a')")
    assert 'porting.SizedLayer(tf_keras.layers.Conv1D, kernel_size=3, name="a")' in text
    assert "self.a.of_size(net.shape[-1])(net)" in text


def test_a_scope_with_a_name_needs_no_default_name():
    scope = (
        "with tf.variable_scope('net', 'default', [net]):\n        out = tf.layers.dense(net, 1)"
    )
    text = base_program.model_class((base_program.OUT, scope))
    assert 'self.net_dense = tf_keras.layers.Dense(1, name="net/dense")' in text


def test_softmax_has_no_layer():
    softmax = "out = tf.contrib.layers.softmax(tf.layers.dense(net, 2), scope='p')"
    assert ".nn.softmax(self.dense(net))" in base_program.model_class((base_program.OUT, softmax))
    reason = base_program.refusal(base_program.OUT, "out = tf.contrib.layers.softmax(net, axis=1)")
    assert "the softmax in line 7 has unsupported arguments" in reason
