"""Tests for the statements that names depend on."""

import ast

import pytest

from migrate.rewrite.model_fns.analysis import slices

PROGRAM = """\
a = f(x)
b = []
b.append(a)
c = g(b)
d = h(y)
c["k"] = d
if d:
    e = c
else:
    e = 1
"""
BODY = ast.parse(PROGRAM).body


@pytest.mark.parametrize(
    ("names", "lines"),
    [("a", [1]), ("b", [1, 2, 3]), ("c", [1, 2, 3, 4, 5, 6]), ("d", [5]), ("x", [])],
)
def test_what_a_name_needs(names, lines):
    assert [one.lineno for one in slices.needed(BODY, names)] == lines


@pytest.mark.parametrize(("names", "lines"), [("x", [1, 3, 4, 6, 7]), ("y", [5, 6, 7]), ("z", [])])
def test_what_depends_on_a_name(names, lines):
    assert [one.lineno for one in slices.dependent(BODY, names)] == lines


@pytest.mark.parametrize(
    ("text", "bound", "changed", "read"),
    [
        ("a.b['c'] = d", {"a"}, {"a"}, {"a", "d"}),
        ("a.append(b)", {"a"}, {"a"}, {"a", "b"}),
        ("n = a.pop()", {"a", "n"}, {"a"}, {"a"}),
        ("a += b", {"a"}, set(), {"a", "b"}),
        ("n = [i for i in a]", {"n"}, set(), {"a", "i"}),
        ("for i in a:\n  b = i", {"i", "b"}, set(), {"a"}),
        ("import a.b", {"a"}, set(), set()),
        ("def f(x):\n  return y", {"f"}, set(), {"x", "y"} - {"x"}),
    ],
)
def test_what_a_statement_binds_changes_and_reads(text, bound, changed, read):
    (statement,) = ast.parse(text).body
    assert slices.bound(statement) == bound
    assert slices.changed(statement) == changed
    assert slices.read(statement) == read


def test_only_both_branches_together_replace_a_name():
    whole, half = ast.parse("if x:\n  a = b = 1\nelse:\n  a = 2\nif x:\n  a = 1\n").body
    assert slices.replaces(whole) == {"a"}
    assert slices.replaces(half) == set()


def test_a_changed_value_is_the_one_from_before_until_it_is_replaced():
    first = ast.parse("a.append(1)\na = []\n").body
    assert slices.changes_initial_value(first, "a")
    assert not slices.changes_initial_value(first[::-1], "a")
