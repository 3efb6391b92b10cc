"""Tests for objects of tf.layers, which become calls of its functions."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import layer_objects
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = "import tensorflow as tf\n\ndef model_fn(a, training):\n"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = layer_objects.without_objects(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


def test_an_object_with_a_name_becomes_a_call():
    body = ["b = tf.layers.Dense(8, activation=tf.nn.relu)", "c = b(a)"]
    assert lines(*body) == ["c = tf.layers.dense(a, 8, activation=tf.nn.relu)"]


def test_an_object_without_a_name_becomes_a_call():
    body = "b = tf.layers.Dropout(0.5)(tf.layers.Flatten()(a), training=training)"
    expected = "b = tf.layers.dropout(tf.layers.flatten(a), 0.5, training=training)"
    assert lines(body) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        ["b = tf.layers.Dense(8)", "c = b(b(a))"],
        ["b = tf.layers.Dense(8)", "c = b.apply(a)"],
        ["b = tf.layers.Dense(8)", "for _ in range(3):", "    a = b(a)"],
        ["b = tf.layers.Conv3D(8, 2)(a)"],
        ["b = tf.keras.layers.Dense(8)(a)"],
    ],
)
def test_other_objects_stay(body):
    assert lines(*body) == body
