"""Tests for dropout rates that a model_fn chooses by its mode."""

import ast

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

TRAINS = "mode == e.ModeKeys.TRAIN"


def rewritten(*lines, layer=f"tf.layers.dropout(net, rate, training={TRAINS})"):
    text = "\n    ".join([*lines, f"net = {layer}", base_program.OUT])
    text = base_program.BASE.replace(base_program.OUT, text)
    plan = tools.plan(api="v2")
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan).text


@pytest.mark.parametrize(
    "lines",
    [
        (f'rate = params["r"] if {TRAINS} else 0.0',),
        (f"if {TRAINS}:", '    rate = params["r"]', "else:", "    rate = 0"),
        ('rate = params["r"]', "if mode != e.ModeKeys.TRAIN:", "    rate = 0.0"),
    ],
)
def test_a_rate_that_is_zero_outside_of_training_is_that_of_training(lines):
    text = rewritten(*lines)
    assert 'self.dropout = tf_keras.layers.Dropout(params["r"], name="dropout")' in text
    assert "net = self.dropout(net, training=training)" in text


@pytest.mark.parametrize("function", ["layers.dropout", "nn.alpha_dropout"])
@pytest.mark.parametrize("option", [f", is_training={TRAINS}", ", is_training=True", ""])
def test_the_same_holds_for_the_probability_to_keep_a_value(function, option):
    option = "" if function == "nn.alpha_dropout" else option
    layer = f"tf.contrib.{function}(net, keep{option})"
    text = rewritten(f'keep = params["k"] if {TRAINS} else 1.0', layer=layer)
    assert 'rate=1 - params["k"]' in text
    assert "(net, training=training)" in text


@pytest.mark.parametrize(
    "lines",
    [
        (f"rate = 0.5 if {TRAINS} else 0.1",),
        ("rate = 0.5 if mode == e.ModeKeys.EVAL else 0.0",),
        ("rate = 0.5", f"if {TRAINS}:", "    rate = rate * 2"),
        (f"rate = 0.5 if {TRAINS} else other.rate",),
    ],
)
def test_other_rates_are_left_to_the_bridge(lines):
    text = rewritten(*lines)
    assert "tf_keras.Model" not in text
    ast.parse(text)


@pytest.mark.parametrize(
    ("dropout", "expected"),
    [
        (
            "tf.layers.dropout(net, 0.3, noise_shape=[tf.shape(net)[0], params['n']])",
            "Dropout(0.3, noise_shape=[None, params['n']]",
        ),
        (
            "tf.keras.layers.Dropout(0.3, noise_shape=(tf.shape(net)[0], 1))(net, training=False)",
            "Dropout(0.3, noise_shape=[None, 1]",
        ),
        ("tf.layers.dropout(net)", 'Dropout(rate=0.5, name="dropout")'),
    ],
)
def test_the_shape_of_the_noise_may_have_sizes_of_the_inputs(dropout, expected):
    text = base_program.BASE.replace("net = features", f"net = features\n    net = {dropout}")
    plan = tools.plan(api="v2")
    assert expected in fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan).text


@pytest.mark.parametrize(
    "size", ["tf.shape(net)[1]", "tf.shape(features)[0]", "tf.shape(net, 1)[0]"]
)
def test_the_shape_of_the_noise_has_no_other_sizes(size):
    dropout = f"net = features\n    net = tf.layers.dropout(net, 0.3, noise_shape=[{size}, 1])"
    assert "unknown before the call" in base_program.refusal("net = features", dropout)
