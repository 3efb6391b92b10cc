"""Tests for scopes in loops, whose names move into those of layers and variables."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import loop_scopes
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = """\
import tensorflow as tf
layers = tf.contrib.layers

def block(x):
    return tf.layers.dense(x, 2)

def model_fn(a, units):
    for i, size in enumerate(units):
"""
SCOPE = "with tf.variable_scope('h%d' % i):"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"        {line}\n" for line in body))
    draft = loop_scopes.without_scopes(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix(" " * 8) for line in draft.file.text[len(HEAD) :].splitlines()]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("tf.layers.dense(a, size)", "tf.layers.dense(a, size, name=('h%d' % i) + \"/dense\")"),
        (
            "tf.layers.dense(a, size, name='x')",
            "tf.layers.dense(a, size, name=('h%d' % i) + \"/x\")",
        ),
        ("tf.get_variable('w', [size])", "tf.get_variable(('h%d' % i) + \"/w\", [size])"),
        (
            "layers.fully_connected(a, size)",
            "layers.fully_connected(a, size, scope=('h%d' % i) + \"/fully_connected\")",
        ),
    ],
)
def test_names_get_the_scope(call, expected):
    assert lines(SCOPE, f"    a = {call}") == [f"a = {expected}"]


def test_layers_of_one_kind_have_numbers():
    body = [SCOPE, "    a = tf.layers.dense(tf.layers.dense(a, 8), 4)"]
    (line,) = lines(*body)
    assert '+ "/dense"), 4' in line
    assert line.endswith('+ "/dense_1")')


def test_inner_scopes_come_last():
    body = ["with tf.variable_scope('x'):", f"    {SCOPE}", "        a = tf.layers.dense(a, 8)"]
    name = '"x/" + ((\'h%d\' % i) + "/dense")'
    assert lines(*body) == [f"a = tf.layers.dense(a, 8, name={name})"]


def test_scopes_of_branches_are_written_too():
    body = ["if size:", f"    {SCOPE}", "        a = tf.layers.dense(a, 8)"]
    assert lines(*body)[-1] == "    a = tf.layers.dense(a, 8, name=('h%d' % i) + \"/dense\")"


def test_recurrent_layers_get_the_scope():
    call = "tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), a, dtype=tf.float32"
    (line,) = lines(SCOPE, f"    a, _ = {call})")
    assert line == f"a, _ = {call}, scope=('h%d' % i) + \"/rnn\")"


def test_layers_reuse_the_variables_of_their_scope():
    body = [
        "with tf.variable_scope('x', reuse=tf.AUTO_REUSE):",
        "    a = tf.layers.dense(a, 8) * tf.get_variable('w', [8])",
    ]
    name = 'name="x/dense", reuse=tf.AUTO_REUSE'
    assert lines(*body) == [
        f'a = tf.layers.dense(a, 8, {name}) * tf.get_variable("x/w", [8], reuse=tf.AUTO_REUSE)'
    ]


def test_a_scope_of_names_is_part_of_the_names_of_variables_alone():
    body = [
        "with tf.name_scope('x' + str(i)):",
        "    b = tf.Variable(tf.zeros([3]), name='b')",
        "    a = tf.layers.dense(a, 8) + b",
    ]
    assert lines(*body) == [
        "b = tf.Variable(tf.zeros([3]), name=('x' + str(i)) + \"/b\")",
        "a = tf.layers.dense(a, 8) + b",
    ]


@pytest.mark.parametrize(
    "body",
    [
        ["with tf.variable_scope('x', custom_getter=g):", "    a = tf.layers.dense(a, 8)"],
        ["with tf.variable_scope('x'):", "    a = tf.layers.dense(a, 8)"],
        ["with tf.variable_scope('x') as scope:", "    a = tf.layers.dense(a, 8)"],
        ["with tf.variable_scope(tf.get_variable_scope()):", "    a = tf.layers.dense(a, 8)"],
        [SCOPE, "    a = block(a)"],
        [SCOPE, "    if size:", "        a = tf.layers.dense(a, 8)"],
        [SCOPE, "    a = tf.keras.layers.Dense(8)(a)"],
        ["with tf.device('/cpu:0'):", "    a = tf.layers.dense(a, 8)"],
    ],
)
def test_other_scopes_stay(body):
    assert lines(*body) == body
