"""Tests for stacks of tf.contrib.layers, which become loops."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.contrib import stacked_layers
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = "import tensorflow as tf\nlayers = tf.contrib.layers\n\ndef model_fn(a, b):\n"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = stacked_layers.without_stacks(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


def loop(scope, name, options="", number="number", size="size"):
    return [
        f'with tf.variable_scope("{scope}"):',
        f"    for {number}, {size} in enumerate(b, 1):",
        f'        c = layers.fully_connected(c, {size}{options}, scope="{name}_%d" % {number})',
    ]


def test_a_stack_becomes_a_loop():
    body = ["c = layers.stack(a, layers.fully_connected, b, activation_fn=None)"]
    assert lines(*body) == ["c = a", *loop("Stack", "fully_connected", ", activation_fn=None")]


def test_stacks_have_numbers_or_scopes():
    body = [
        "c = layers.stack(a, layers.fully_connected, b)",
        "c = layers.stack(c, layers.fully_connected, b, scope='deep')",
        "c = layers.stack(c, layers.fully_connected, b)",
    ]
    text = lines(*body)
    assert text[1:4] == loop("Stack", "fully_connected")
    assert text[4:7] == [
        "with tf.variable_scope('deep'):",
        *loop("deep", "deep", "", "number_", "size_")[1:],
    ]
    assert text[7] == 'with tf.variable_scope("Stack_1"):'


def test_a_repeated_layer_becomes_a_loop():
    body = ["c = layers.repeat(a, b, layers.conv2d, 8, [3, 3], padding='SAME', scope='conv')"]
    assert lines(*body) == [
        "c = a",
        'with tf.variable_scope("conv"):',
        "    for number in range(b):",
        "        c = layers.conv2d(c, 8, [3, 3], padding='SAME', scope=\"conv_%d\" % (number + 1))",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "c = layers.repeat(a, 2, layers.conv2d, 8, 3)",
        "c = layers.repeat(a, 2, layers.conv2d, 8, 3, scope=b)",
        "c = layers.repeat(a, 2, layers.conv2d, *b, scope='d')",
        "c = layers.repeat(a, 2, layers.conv2d, 8, 3, scope='d', reuse=True)",
        "c = layers.repeat(a, c, layers.conv2d, 8, 3, scope='d')",
        "c = layers.stack(a, other, b)",
        "c = layers.stack(a, layers.conv2d, [[3, 4], [5, 6]])",
        "c = layers.stack(a, layers.fully_connected, *b)",
        "c = layers.stack(a, layers.fully_connected, b, reuse=True)",
        "c = layers.stack(a, layers.fully_connected, b, scope=a)",
        "c = layers.stack(a, layers.fully_connected, c)",
        "c = d = layers.stack(a, layers.fully_connected, b)",
    ],
)
def test_other_stacks_stay(body):
    assert lines(body) == [body]
