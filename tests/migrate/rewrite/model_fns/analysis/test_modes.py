"""Tests for the statements of each mode: refusals and their reasons."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis.modes import Modes
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "if mode == e.ModeKeys.PREDICT:",
            "if other.predicts(mode):",
            "may or may not return in line 8",
        ),
        (
            base_program.OUT,
            "training = mode != 'infer'\n    out = tf.layers.dropout(net, training=training)",
            "training depends on the mode",
        ),
        (base_program.OUT, f"{base_program.OUT} * y_pred", "the module's name y_pred"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


@pytest.mark.parametrize(
    ("constants", "lines"),
    [
        ("TRAIN, EVAL = 1, 2", None),
        ("TRAIN = tf.estimator.ModeKeys.TRAIN", [4, 6]),
        ("EVAL, TRAIN = tf.estimator.ModeKeys.EVAL, tf.estimator.ModeKeys.TRAIN", [4, 6]),
        ("TRAIN, *other = tf.estimator.ModeKeys.TRAIN, tf.estimator.ModeKeys.EVAL", None),
    ],
)
def test_a_constant_of_the_module_may_name_a_mode(constants, lines):
    text = (
        "import tensorflow as tf\n"
        f"{constants}\n"
        "def model_fn(features, labels, mode):\n"
        "    x = 1\n"
        "    if mode in (TRAIN, tf.estimator.ModeKeys.EVAL):\n"
        "        x = 2\n"
        "    return x\n"
    )
    file = SourceFile(text)
    (function,) = (one for one in file.tree.body if isinstance(one, ast.FunctionDef))
    path = Modes(file, function).path("train")
    expected = lines or [4, 5]  # Without a known mode, the test itself stays.
    assert [one.lineno for one in path.statements] == expected
