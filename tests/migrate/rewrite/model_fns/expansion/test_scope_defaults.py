"""Tests for scopes whose initializers and regularizers move into their layers."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import scope_defaults
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = """\
import tensorflow as tf

def block(x):
    return tf.layers.dense(x, 2)

def model_fn(a, init):
"""
WITH = "with tf.variable_scope('s', initializer=init):"
PLAIN = "with tf.variable_scope('s'):"
L2 = "with tf.variable_scope('s', regularizer=tf.keras.regularizers.l2(1e-3)):"
RUN = "a, b = tf.nn.dynamic_rnn(cell, a, dtype=tf.float32)"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = scope_defaults.without_defaults(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix(" " * 4) for line in draft.file.text[len(HEAD) :].splitlines()]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("tf.get_variable('w', [2])", "tf.get_variable('w', [2], initializer=init)"),
        ("tf.layers.dense(a, 2)", "tf.layers.dense(a, 2, kernel_initializer=init)"),
        (
            "tf.layers.separable_conv2d(a, 2, 3)",
            "tf.layers.separable_conv2d(a, 2, 3, depthwise_initializer=init, "
            "pointwise_initializer=init)",
        ),
        (
            "tf.contrib.layers.embed_sequence(a, 9, 2)",
            "tf.contrib.layers.embed_sequence(a, 9, 2, initializer=init)",
        ),
        (
            "tf.layers.dense(tf.layers.dense(a, 3), 2)",
            "tf.layers.dense(tf.layers.dense(a, 3, kernel_initializer=init), 2, "
            "kernel_initializer=init)",
        ),
        ("tf.layers.batch_normalization(a)", "tf.layers.batch_normalization(a)"),
        ("tf.layers.dropout(a)", "tf.layers.dropout(a)"),
        ("tf.contrib.layers.fully_connected(a, 2)", "tf.contrib.layers.fully_connected(a, 2)"),
        ("tf.keras.layers.Dense(2)(a)", "tf.keras.layers.Dense(2)(a)"),
        (
            "tf.layers.dense(a, 2, kernel_initializer=other)",
            "tf.layers.dense(a, 2, kernel_initializer=other)",
        ),
    ],
)
def test_an_initializer_is_the_default_of_kernels(call, expected):
    assert lines(WITH, f"    a = {call}") == [PLAIN, f"    a = {expected}"]


def test_the_innermost_initializer_counts():
    inner = "with tf.variable_scope('t', initializer=tf.zeros_initializer()):"
    body = [WITH, f"    {inner}", "        w = tf.get_variable('w', [2])", "    v = w"]
    assert lines(*body) == [
        PLAIN,
        "    with tf.variable_scope('t'):",
        "        w = tf.get_variable('w', [2], initializer=tf.zeros_initializer())",
        "    v = w",
    ]


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        ("BasicLSTMCell", "kernel_initializer"),
        ("BasicRNNCell", "kernel_initializer"),
        ("GRUCell", "kernel_initializer"),
        ("LSTMCell", "initializer"),
    ],
)
def test_cells_have_the_initializer_of_the_scope_in_which_they_run(cell, key):
    body = [f"cell = tf.nn.rnn_cell.{cell}(3)", WITH, f"    {RUN}"]
    expected = f"cell = tf.nn.rnn_cell.{cell}(3, {key}=init)"
    assert lines(*body) == [expected, PLAIN, f"    {RUN}"]


def test_cells_that_run_outside_of_the_scope_stay():
    body = [WITH, "    cell = tf.nn.rnn_cell.GRUCell(3)", RUN]
    assert lines(*body) == [PLAIN, "    cell = tf.nn.rnn_cell.GRUCell(3)", RUN]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "tf.get_variable('w', [2])",
            "tf.get_variable('w', [2], regularizer=tf.keras.regularizers.l2(1e-3))",
        ),
        (
            "tf.layers.dense(a, 2)",
            "tf.layers.dense(a, 2, bias_regularizer=tf.keras.regularizers.l2(1e-3), "
            "kernel_regularizer=tf.keras.regularizers.l2(1e-3))",
        ),
    ],
)
def test_a_regularizer_is_the_default_of_biases_too(call, expected):
    assert lines(L2, f"    a = {call}") == [PLAIN, f"    a = {expected}"]


@pytest.mark.parametrize(
    "body",
    [
        [WITH, "    a = block(a)"],
        [WITH, "    a = tf.layers.dense(a, 2, bias_initializer=None)"],
        [WITH, "    a = tf.layers.dense(a, 2, **options)"],
        [WITH, "    a = tf.contrib.layers.fully_connected(a, 2, weights_initializer=None)"],
        [WITH, "    a = tf.contrib.crf.crf_log_likelihood(a, a, a)"],
        [WITH, "    init = tf.layers.dense(a, 2)"],
        ["with tf.variable_scope('s', initializer=lambda *a, **k: 0):", "    a = tf.abs(a)"],
        [L2, "    a = tf.layers.batch_normalization(a)"],
        [L2, "    a = tf.layers.dense(a, 2, kernel_regularizer=other)"],
        [L2, "    a = tf.contrib.layers.fully_connected(a, 2)"],
        [L2, "    a = tf.contrib.layers.embed_sequence(a, 9, 2)"],
        ["cell = tf.nn.rnn_cell.GRUCell(3)", L2, f"    {RUN}"],
        ["cell = tf.nn.rnn_cell.GRUCell(3)", WITH, f"    {RUN}", f"{RUN}"],
        ["cell = make_cell()", WITH, f"    {RUN}"],
        ["with tf.variable_scope('s', reuse=True):", "    a = tf.layers.dense(a, 2)"],
    ],
)
def test_other_scopes_stay(body):
    assert lines(*body) == body
