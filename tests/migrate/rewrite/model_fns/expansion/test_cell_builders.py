"""Tests for RNN cells of functions, loops and branches, which become expressions."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import cell_builders
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = """\
import tensorflow as tf
rnn = tf.nn.rnn_cell

def make(size, kind="gru"):
    '''Makes a cell.'''
    if kind == "gru":
        return rnn.GRUCell(size)
    else:
        return rnn.LSTMCell(size)

def wrapped(size, keep=0.5):
    cell = make(size)
    cell = rnn.DropoutWrapper(cell, output_keep_prob=keep)
    return cell

def chosen(size, kind):
    if kind == "gru":
        cell = rnn.GRUCell(size)
    elif kind == "lstm":
        cell = rnn.LSTMCell(size)
    else:
        raise ValueError(kind)
    return cell

def returned(size, kind):
    if kind == "gru":
        return rnn.GRUCell(size)
    elif kind == "lstm":
        return rnn.LSTMCell(size)

def default(size, kind):
    cell = rnn.GRUCell(size)
    if kind == "lstm":
        cell = rnn.LSTMCell(size)
    return cell

def early(size):
    if size > 3:
        return rnn.GRUCell(size)
    print(size)
    return rnn.LSTMCell(size)

def model_fn(a, b):
"""


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = cell_builders.without_builders(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


GRU = "rnn.GRUCell"
DROPOUT = "rnn.DropoutWrapper"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (["c = make(3)"], [f"c = {GRU}(3)"]),
        (["c = make(3, a)"], [f"c = {GRU}(3) if a == 'gru' else rnn.LSTMCell(3)"]),
        (["c = make(3, 'lstm')"], ["c = rnn.LSTMCell(3)"]),
        (
            ["c = chosen(3, a)"],
            [f"c = {{'gru': {GRU}(3), 'lstm': rnn.LSTMCell(3)}}[a]"],
        ),
        (["c = default(3, a)"], [f"c = rnn.LSTMCell(3) if a == 'lstm' else {GRU}(3)"]),
        (["c = chosen(3, 'lstm')"], ["c = rnn.LSTMCell(3)"]),
        (
            ["c = returned(3, a)"],
            [f"c = {{'gru': {GRU}(3), 'lstm': rnn.LSTMCell(3)}}[a]"],
        ),
        (
            ["c = [wrapped(n) for n in a]"],
            [f"c = [{DROPOUT}({GRU}(n), output_keep_prob=0.5) for n in a]"],
        ),
        (
            ["c = []", "for n in a:", f"    d = {GRU}(n)", "    c.append(d)", "e = c"],
            [f"c = [{GRU}(n) for n in a]", "e = c"],
        ),
        (
            [f"c = {GRU}(3)", "if a:", f"    c = {DROPOUT}(c, b)"],
            [f"c = {GRU}(3)", f"c = {DROPOUT}(c, input_keep_prob=b if a else 1.0)"],
        ),
        (
            ["if a:", f"    c = {GRU}(3)", "else:", "    c = rnn.LSTMCell(3)"],
            [f"c = {GRU}(3) if a else rnn.LSTMCell(3)"],
        ),
    ],
)
def test_cells_become_expressions(body, expected):
    assert lines(*body) == expected


@pytest.mark.parametrize(
    "body",
    [
        ["c = early(3)"],
        ["c = make(a())"],
        ["c = []", "for n in a:", f"    c.append({GRU}(n))", "    b(c)"],
        ["c = []", "b(c)", "for n in a:", f"    c.append({GRU}(n))"],
        ["c = []", "for n in a:", f"    d = {GRU}(n)", "    c.append(d)", "e = d"],
        ["if a:", f"    c = {GRU}(3)"],
        ["if a:", f"    c = {GRU}(3)", "    b(c)", "else:", "    c = rnn.LSTMCell(3)"],
    ],
)
def test_other_functions_and_loops_stay(body):
    assert lines(*body) == body


RUN = "a, _ = tf.nn.dynamic_rnn(c, a, dtype=tf.float32)"


def test_loops_run_cells_without_names():
    body = ["for n in b:", f"    c = {GRU}(n)", f"    c = {DROPOUT}(c, 0.5)"]
    scoped = ["    with tf.variable_scope(str(n)):", f"        {RUN}"]
    text = RUN.replace("(c,", f"({DROPOUT}({GRU}(n), 0.5),")
    assert lines(*body, *scoped) == ["for n in b:", scoped[0], f"        {text}"]


@pytest.mark.parametrize(
    "others",
    [
        ["    d = c.zero_state(3, tf.float32)", f"    {RUN}"],
        ["    if n:", f"        c = {DROPOUT}(c, 0.5)", f"    {RUN}"],
        [f"    {RUN}", "b = c"],
    ],
)
def test_cells_of_loops_with_other_uses_keep_their_names(others):
    body = ["for n in b:", f"    c = {GRU}(n)", *others]
    assert f"    c = {GRU}(n)" in lines(*body)
