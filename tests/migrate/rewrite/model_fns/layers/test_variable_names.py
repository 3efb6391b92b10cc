"""Tests for expressions of names."""

import pytest

from migrate.rewrite.model_fns.layers import variable_names
from migrate.rewrite.model_fns.layers.variable_names import ScopedName


@pytest.mark.parametrize(
    ("texts", "expression", "value"),
    [
        (['"a"', '"b"'], '"a/b"', "a/b"),
        (["scope", '"b"', '"c"'], 'scope + "/b/c"', "s/b/c"),
        (['"a"', "scope", "scope"], '"a/" + scope + "/" + scope', "a/s/s"),
        (['"a"', "'x%d' % i"], "\"a/\" + ('x%d' % i)", "a/x3"),
        (["'x%d' % i"], "'x%d' % i", "x3"),
    ],
)
def test_joined_names_are_expressions(texts, expression, value):
    found = variable_names.joined(texts)
    assert found == expression
    assert eval(found, {"scope": "s", "i": 3}) == value


def test_names_of_a_kind_are_numbered_in_their_scopes():
    names = [
        ScopedName((), None, "dense"),
        ScopedName(('"tower"',), None, "dense"),
        ScopedName((), None, "dense"),
        ScopedName((), '"dense"', "dense"),
        ScopedName(('"tower"',), None, "dense"),
    ]
    assert variable_names.numbered(names) == [
        '"dense"',
        '"tower/dense"',
        '"dense_1"',
        '"dense"',
        '"tower/dense_1"',
    ]
