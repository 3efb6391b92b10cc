"""Tests for the training flags of Keras models."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import training_flags
from migrate.rewrite.model_fns.expansion.draft import Draft

TEXT = """\
import tensorflow as tf
def model_fn(features, mode):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    if mode == "train":
        out = model(features)
    else:
        out = model(features, training=False)
"""


def _expanded(text):
    file = SourceFile(text)
    (function,) = (node for node in file.tree.body if isinstance(node, ast.FunctionDef))
    return training_flags.with_flags(Draft.of(file, function)).file.text


@pytest.mark.parametrize("call", ["model(features)", "model(features, )", "model((features))"])
def test_a_call_gets_the_flag_that_another_call_has(call):
    inside = call.replace(", ", "").removesuffix(")")
    text = _expanded(TEXT.replace("model(features)", call))
    assert f"        out = {inside}, training=False" in text
    ast.parse(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (", training=False", ""),
        ("model(features)", "model(features, *other)"),
        ("model(features)", "model(features, **other)"),
        ("    if", "    model = other\n    if"),
        ("tf.keras.Sequential([tf.keras.layers.Dense(1)])", "other()"),
        ("    if", "    tf.keras.backend.set_learning_phase(1)\n    if"),
    ],
)
def test_other_calls_stay(old, new):
    text = TEXT.replace(old, new)
    assert text != TEXT
    assert _expanded(text) == text
