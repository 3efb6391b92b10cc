"""Tests for layers of tf.layers: refusals and their reasons."""

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.model_fns.layers.calls import layer_functions
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("tf.layers.dense", "dense"),
        ("tf.layers.conv3d_transpose", ""),
        ("tf.layers", ""),
        ("dense", ""),
        ("tf.contrib.layers.dense", ""),
    ],
)
def test_functions_of_layers(name, function):
    assert layer_functions.layer_of(name) == function


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("out = tf.layers.dense(net, 1, reuse=True)", "reuse"),
        ("out = tf.layers.dense(*net)", "tf.layers.dense is called with *args or **kwargs"),
        ("out = tf.layers.dense(net, **net)", "tf.layers.dense is called with *args or **kwargs"),
        ("out = tf.layers.dense(units=1)", "tf.layers.dense in line 7 lacks its inputs"),
        ("out = tf.feature_column.input_layer(net, net, None, True)", "unsupported arguments"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)


def test_arguments_that_switch_a_feature_off_are_no_obstacle():
    arguments = "activity_regularizer=None, reuse=False"
    text = base_program.BASE.replace(
        base_program.OUT, f"out = tf.layers.dense(net, 1, {arguments})"
    )
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    layer = 'tf_keras.layers.Dense(1, activity_regularizer=None, name="dense")'
    assert layer in outcome.text


def test_a_loss_of_activities_stays_with_its_layer():
    """Keras divides it by the batch size, as tf.layers does."""
    layer = base_program.OUT.replace(")", ", activity_regularizer=tf.nn.l2_loss)")
    text = base_program.model_class(
        (base_program.OUT, layer),
        ("    step =", "    loss += tf.losses.get_regularization_loss()\n    step ="),
    )
    assert "activity_regularizer=tf.nn.l2_loss," in text
    assert "loss += sum(self.losses)" in text
