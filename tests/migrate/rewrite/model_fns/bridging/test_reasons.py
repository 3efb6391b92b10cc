"""Tests for the reasons why Keras cannot train a model_fn unchanged."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.bridging import reasons


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("rate = tf.placeholder(tf.float32)", "feed the placeholder"),
        ("hook = tf.train.FeedFnHook(lambda: {})", "feeds a session"),
        ("losses = model.get_losses_for(None)", "get_losses_for in line 3"),
        ("found = set(tf.trainable_variables())", "hash of variables"),
        ("counted = tf.assign_add(counter, 1)", ""),
    ],
)
def test_each_reason_is_asked_for(line, reason):
    head = "import tensorflow as tf\ndef model_fn(features, labels, mode):\n"
    file = SourceFile(f"{head}    {line}\n")
    found = reasons.reason_to_stay(file, file.tree.body[1])
    assert reason in found
    assert bool(reason) == bool(found)
