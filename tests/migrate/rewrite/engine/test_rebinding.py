"""Tests for names of modules that code binds indirectly."""

import ast

import pytest

from migrate.rewrite.engine import rebinding


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("globals()['A'] = 1", {"A"}),
        ("del globals()['A']", {"A"}),
        ("globals()[name] = 1", {"*"}),
        ("globals().update(A=1, B=2)", {"A", "B"}),
        ("globals().update(values)", {"*"}),
        ("exec(text)", {"*"}),
        ("use(globals())", {"*"}),
        ("import a.b as c\nc.A = 1", {"A"}),
        ("import a.b\na.b.A += 1", {"A"}),
        ("import a\nsetattr(a, 'A', 1)", {"A"}),
        ("import a\nsetattr(a, name, 1)", {"*"}),
        ("print(globals()['A'], globals().get('B'), 'A' in globals())", set()),
        ("globals()[name]()", set()),
        ("setattr(self, name, 1)\nself.A = 1\nvars(args)['A'] = 1", set()),
        ("def f():\n    return locals()", set()),
    ],
)
def test_names(text, names):
    assert set(rebinding.rebound_names(ast.parse(text))) == names
