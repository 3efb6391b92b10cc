"""Tests for functions of the learning rate, which optimize_loss calls."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.contrib import rate_functions
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = "import tensorflow as tf\nimport other\n\ndef model_fn(loss, step, rate):\n"
OPTIMIZE = "tf.contrib.layers.optimize_loss"


def line(call):
    file = SourceFile(f"{HEAD}    return {OPTIMIZE}({call})\n")
    draft = rate_functions.without_functions(Draft.of(file, file.tree.body[-1]))
    text = draft.file.text[len(HEAD) :].strip()
    return text.removeprefix(f"return {OPTIMIZE}(").removesuffix(")")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "loss, step, 0.1, 'Adam', learning_rate_decay_fn=lambda r, s: tf.maximum(r / 2, s)",
            "loss=loss, global_step=step, learning_rate=tf.maximum(0.1 / 2, step), "
            "optimizer='Adam'",
        ),
        (
            "loss, step, 1 - rate, 'Adam', learning_rate_decay_fn=other.decay",
            "loss=loss, global_step=step, learning_rate=other.decay((1 - rate), step), "
            "optimizer='Adam'",
        ),
        (
            "loss, step, optimizer=lambda r: tf.train.AdamOptimizer(r), learning_rate=1 - rate",
            "loss=loss, global_step=step, optimizer=tf.train.AdamOptimizer((1 - rate)), "
            "learning_rate=1 - rate",
        ),
        (
            "loss, step, 0.1, lambda r: tf.train.AdamOptimizer(r), "
            "learning_rate_decay_fn=lambda r, s: r + 1",
            "loss=loss, global_step=step, learning_rate=0.1 + 1, "
            "optimizer=tf.train.AdamOptimizer((0.1 + 1))",
        ),
    ],
)
def test_functions_are_written_out(call, expected):
    assert line(call) == expected


@pytest.mark.parametrize(
    "call",
    [
        "loss, step, 0.1, 'Adam'",
        "loss, step, 0.1, 'Adam', learning_rate_decay_fn=other.table[0]",
        "loss, step, 0.1, 'Adam', learning_rate_decay_fn=lambda r: r",
        "loss, step, 0.1, 'Adam', learning_rate_decay_fn=lambda r, s: min(r for r in [s])",
        "loss, step, 0.1, 'Adam', learning_rate_decay_fn=other.decay, *rate",
        "loss, step, None, lambda: tf.train.AdamOptimizer(0.1)",
    ],
)
def test_other_calls_stay(call):
    assert line(call) == call
