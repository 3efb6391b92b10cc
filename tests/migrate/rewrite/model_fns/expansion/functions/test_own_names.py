"""Tests for inner functions whose results take their names."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import own_names

HEAD = "def model_fn(a):\n"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = own_names.with_own_names(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


def test_the_function_gets_another_name():
    body = ["def b(c):", "    return c", "def d(b):", "    return b", "b = b(a)", "d = d(b)"]
    assert lines(*body, "return d + b") == [
        *("def b_fn(c):", "    return c", "def d_fn(b):", "    return b"),
        *("b = b_fn(a)", "d = d_fn(b)", "return d + b"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        ["def b(c):", "    return c", "d = b(a)"],
        ["def b(c):", "    return c", "b = a"],
        ["def b(c):", "    return c", "b = b(a)", "b = b + 1"],
        ["def b(c):", "    return c", "def d():", "    return b", "b = b(a)", "return d()"],
    ],
)
def test_other_functions_keep_their_names(body):
    assert lines(*body) == body
