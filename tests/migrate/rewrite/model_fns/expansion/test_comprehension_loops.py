"""Tests for comprehensions that make layers."""

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import comprehension_loops
from migrate.rewrite.model_fns.expansion.draft import Draft


def expanded(*lines):
    text = "import tensorflow as tf\ndef model_fn(features):\n"
    file = SourceFile(text + "".join(f"    {line}\n" for line in lines))
    function = file.tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    draft = comprehension_loops.without_comprehensions(Draft.of(file, function))
    return [line.removeprefix("    ") for line in draft.file.text.splitlines()[2:]]


def test_a_list_is_filled_by_a_loop():
    assert expanded("nets = [tf.layers.dense(features[k], 8) for k in KEYS]") == [
        "nets = []",
        "for k in KEYS:",
        "    nets.append(tf.layers.dense(features[k], 8))",
    ]


def test_a_part_of_an_expression_gets_a_name():
    line = "net = tf.add_n([tf.layers.dense(x, n) for n in (1, 2)]) + 1"
    assert expanded("n = 3", line) == [
        "n = 3",
        "parts = []",
        "for n_ in (1, 2):",
        "    parts.append(tf.layers.dense(x, n_))",
        "net = tf.add_n(parts) + 1",
    ]


def test_others_stay():
    lines = [
        "a = [tf.nn.relu(x) for x in features]",
        "b = [tf.layers.dense(x, 1) for x in features if x is not None]",
        "c = [tf.nn.rnn_cell.GRUCell(n) for n in (1, 2)]",
        "d = [tf.layers.dense(x, y) for x in features for y in (1, 2)]",
    ]
    assert expanded(*lines) == lines
