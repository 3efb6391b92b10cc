"""Tests for the statements of a class: refusals and their reasons."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("net = features\n", "net = features * other.scale[mode]\n", "no value for mode"),
        (
            base_program.OUT,
            "out = tf.contrib.layers.batch_norm(net, is_training=mode == e.ModeKeys.TRAIN)",
            "may be no image",
        ),
        (
            base_program.OUT,
            "out = tf.layers.dense(tf.to_double(net), 1)",
            "its layers may compute in float64 (line 7)",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


@pytest.mark.parametrize(
    ("layer", "arguments"),
    [
        ("tf.layers.batch_normalization(net, momentum=0.9, training=training)", "momentum=1.0"),
        ("tf.keras.layers.BatchNormalization(-1, 0.9)(net)", "-1, 1.0"),
    ],
)
def test_averages_that_nothing_updates_keep_their_values(layer, arguments):
    lines = f"training = mode == e.ModeKeys.TRAIN\n    out = {layer}"
    text = base_program.BASE.replace(base_program.OUT, lines)
    text = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2")).text
    comment = "# Nothing ran UPDATE_OPS, so the averages kept their initial values."
    line = " ".join(text.partition(comment)[2].split())
    assert line.startswith("self.batch_normalization = tf_keras.layers.BatchNormalization(")
    assert arguments in line.partition(")")[0]


FILTER = "loss += sum(tf.nn.l2_loss(v) for v in tf.trainable_variables() if 'bias' not in v.name)"


def _rewritten(text):
    text = text.replace("    step = tf", f"    {FILTER}\n    step = tf")
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))


def test_a_filter_by_name_must_not_find_the_name_of_the_model():
    assert "class Model(tf_keras.Model):" in _rewritten(base_program.BASE).text
    outcome = _rewritten(base_program.BASE.replace("model_fn", "debiased_model_fn"))
    assert "(tf_keras.Model):" not in outcome.text
    assert "the class DebiasedModel has 'bias' in its name" in outcome.suggestions[0].reason


def test_a_filter_by_name_must_not_find_the_name_of_a_layer():
    text = base_program.BASE.replace(
        "net = features\n", "net = bias_tower(features) + bias_tower(features)\n"
    ).replace(
        "def model_fn",
        "def bias_tower(x):\n    x = tf.layers.dense(x, 2)\n    return x\n\ndef model_fn",
    )
    outcome = _rewritten(text)
    assert "class Model(tf_keras.Model):" in outcome.text
    assert "class BiasTower" not in outcome.text  # The statements of the function are written out.


def test_cells_of_a_function_bring_their_imports():
    text = base_program.BASE.replace("net = features\n", "net = encoded(features)\n").replace(
        "def model_fn",
        "def encoded(x):\n    cell = tf.nn.rnn_cell.GRUCell(3)\n"
        "    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)\n"
        "    return tf.layers.dense(state, 2)\n\ndef model_fn",
    )
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    assert "recurrent_layers.GRUCell(3" in outcome.text
    assert "from modern.porting import recurrent_layers\n" in outcome.text
