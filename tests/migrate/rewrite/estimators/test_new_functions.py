"""Tests for functions that new code inserts, and statements that go with the old code."""

import ast

import pytest

from migrate.rewrite.analysis.dataflow import Reader, UnknownValue
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import new_functions

PROGRAM = """\
import os

SIZES = [3]
NAME = "a"
SIZES.append(4)
print(NAME)


# Runs it.
@wrapped
def main():
    job = make(SIZES)
    return job
"""


def reader_and_call(text):
    file = SourceFile(text)
    call = next(node for node in file.nodes if isinstance(node, ast.Call)
                and ast.unparse(node.func) == "make")  # fmt: skip
    return Reader(file), call


def applied(text, edits):
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def test_a_function_stands_above_the_one_that_calls_it():
    reader, call = reader_and_call(PROGRAM)
    above, edits = new_functions.placed(reader, call, "build", ["x = 1", "return x"])
    assert above == ""
    text = applied(PROGRAM, edits)
    assert "print(NAME)\n\n\ndef build():\n    x = 1\n    return x\n\n\n# Runs it.\n@wrap" in text


def test_a_function_that_uses_local_variables_stands_beside_its_call():
    reader, call = reader_and_call(PROGRAM)
    reader.local.add("size")
    above, edits = new_functions.placed(reader, call, "build", ["return size"])
    assert edits == []
    assert above == "def build():\n        return size"


def test_statements_that_nothing_else_needs_go_with_the_call():
    reader, call = reader_and_call(PROGRAM)
    first = reader.file.tree.body[1:4]
    text = applied(PROGRAM, new_functions.without(reader, first, call))
    assert "SIZES = " not in text
    assert "SIZES.append" not in text
    assert 'NAME = "a"' in text  # which is printed
    reader.named.add("SIZES")
    assert new_functions.without(reader, first, call) == []


def test_a_variable_of_the_function_must_not_hide_a_name_of_its_texts():
    reader, _ = reader_and_call(PROGRAM)
    reader.named.add("inputs")
    new_functions.check_names(reader, ["x = inputs", "return x"])
    with pytest.raises(UnknownValue, match="hide the name inputs"):
        new_functions.check_names(reader, ["inputs = 3"])
