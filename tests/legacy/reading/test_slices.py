"""Tests of the search for slices."""

import ast

import pytest

from legacy.reading import slices


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[[slice(None)] * 2]", True),
        ("def f():\n  return [slice(*x) for x in y]", True),
        ("tf.slice(x, [0], [1])", False),
        ("x[1:2]\nslice", False),
    ],
)
def test_calls_of_slice(text, expected):
    assert slices.makes_slices(ast.parse(text)) is expected
