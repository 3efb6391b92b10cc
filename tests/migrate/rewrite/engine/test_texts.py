"""Tests for short texts of new code."""

import pytest

from migrate.rewrite.engine import texts


@pytest.mark.parametrize(
    ("text", "count"),
    [("3", 2), ("n", 0), ("n", 2), ("len(a)", 1), ("a or b", 1), ("a - b", 3), ("f(a, b)", 2)],
)
def test_sums_and_products_have_their_values(text, count):
    names = {"n": 7, "a": [1, 2], "b": [3], "len": len, "f": lambda a, b: 5}
    if text == "a - b":
        names |= {"a": 9, "b": 4}
    if text == "a or b":
        names |= {"a": 0, "b": 4}
    value = eval(text, dict(names))
    assert eval(texts.plus(text, count), dict(names)) == value + count
    assert eval(texts.times(text, count or 1), dict(names)) == value * (count or 1)


@pytest.mark.parametrize("name", ["age (years)", "1st", "\u00e4rger", "ok"])
def test_names_are_identifiers_and_literals_are_read_back(name):
    assert texts.identifier(name).isidentifier()
    assert eval(texts.quoted(name)) == name
    assert texts.scope_name("a b/c") == "a_b/c"
