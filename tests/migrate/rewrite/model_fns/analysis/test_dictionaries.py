"""Tests for the entries of dictionaries that a model_fn fills."""

import ast

import pytest

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import dictionaries
from migrate.rewrite.model_fns.analysis.modes import Path


def entries(text):
    """Returns the entries of the dictionary that the last statement of a path is."""
    *statements, last = ast.parse(text).body
    values = dictionaries.entries(Path(statements, last.value), last.value, "metrics")
    return {key: ast.unparse(value) for key, value in values.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'a': x, **{'b': y}}", {"a": "x", "b": "y"}),
        ("dict({'a': x}, b=y)", {"a": "x", "b": "y"}),
        ("dict(**{'a': x}, b=y)", {"a": "x", "b": "y"}),
        ("dict(**{}, b=y)", {"b": "y"}),
        ("other = {}\ndict(**other)", {}),
        ("d = {'a': x}\nd['b'] = y\nd.update(**{})\nd", {"a": "x", "b": "y"}),
        ("d = {'a': x}\nd.update({'c': z}, b=y)\nd", {"a": "x", "c": "z", "b": "y"}),
        ("d = {'a': x, 'b': y}\ndel d['a']\nd", {"b": "y"}),
        ("d = {'a': x}\ndel d['a']\nd['a'] = y\nd", {"a": "y"}),
        ("d = {'a': x, 'b': y}\nd.pop('a')\nz = d.pop('b', None)\nd", {}),
        ("None", {}),
    ],
)
def test_entries_of_all_forms_are_read(text, expected):
    assert entries(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{a: x}", "the keys of its metrics are unknown"),
        ("dict(**make())", "its metrics are not a dictionary literal"),
        ("d = {}\nfill(d)\nd.clear()\nd", "its metrics change in line 3"),
        ("d = {'a': x}\ndel d['b']\nd", "its metrics change in line 2"),
        ("d = {'a': x}\ndel d[key]\nd", "the keys of its metrics are unknown"),
        ("d = {'a': x}\ndel d['a']['b']\nd", "its metrics change in line 2"),
        ("d = {'a': x}\nd.popitem()\nd", "its metrics change in line 2"),
    ],
)
def test_unknown_entries_are_refused(text, reason):
    with pytest.raises(NotUnderstood, match=reason):
        entries(text)
