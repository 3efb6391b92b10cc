"""Tests for programs that look at the tensors of an input function before a training."""

import pytest

from migrate.rewrite.engine.plan import Decisions
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.sessions import inspected_inputs, session_code
from tests.migrate.rewrite import tools

HEAD = """\
import tensorflow.compat.v1 as tf
import data
tf.disable_v2_behavior()
def input_fn(pattern):
    dataset = tf.data.TextLineDataset(tf.matching_files(pattern)).batch(2)
    return dataset.make_one_shot_iterator().get_next(), 1
def dataset_fn(pattern):
    return tf.data.TextLineDataset(pattern)
"""


def _file(text, **decisions):
    plan = tools.plan(decisions=Decisions(**decisions)) if decisions else tools.plan()
    return SourceFile(HEAD + text, plan=plan)


@pytest.mark.parametrize(
    "later",
    ["", "print(list(features.keys()))", "print('{} {}'.format(type(features), target))"],
)
def test_the_call_gets_a_graph(later):
    file = _file(f"features, target = input_fn('')\n{later}\n")
    assert session_code.problem(file) == ""
    (edit, *others), _, effect = session_code.edits(file)
    assert edit.text == "with tf.Graph().as_default():\n    "
    assert others == []
    assert file.line_of(edit.start) == 9
    assert "the code around input_fn in line 9 gets a graph" in effect


def test_tensors_that_other_code_uses_keep_the_program_in_graphs():
    file = _file("features, target = input_fn('')\nx = tf.identity(target)\n")
    assert "line 10 uses its tensor target" in session_code.problem(file)


def test_a_method_of_another_file_counts_if_a_file_reads_tensors():
    text = "features, target = data.Reader().csv_input_fn('')\n"
    assert [*inspected_inputs.read(_file(text))] == []
    (found,) = inspected_inputs.read(_file(text, tensors_elsewhere="line 5 of data.py"))
    assert (found.match.node.lineno, found.reason) == (9, "")


@pytest.mark.parametrize(
    "text",
    [
        "first, second = dataset_fn(''), 1",
        "def look():\n    features, target = input_fn('')",
        "with tf.Graph().as_default():\n    features, target = input_fn('')",
        "first, second = data.pair()",
    ],
)
def test_other_calls_are_left_alone(text):
    file = _file(text + "\n", tensors_elsewhere="line 5 of data.py")
    assert session_code.read(file) == []
