"""Tests that long statements are broken where Python allows it, without changing their meaning."""

import ast

import pytest

from migrate.rewrite.engine import wrapping


@pytest.mark.parametrize(
    "statement",
    [
        "x = 1",
        "x = f(a, b)(g(c, d), [e, {'f, g': h}])",
        "    y = first(a)(lambda x, y: x + y, key='(', other=[1, 2, 3])",
        "z = [one for one in others(a, b, c)] + third(d, e, f, g)",
        'text = make("a" "b", f"{c}, {d}")[1:, 2](e)',
        "w = (a + b)",
        "u = layer([1, 20, 300, 4000, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], [-1.5])",
        "u = g(['a b', '', ' ', 'c,', 'd'])",
        "u = f(a, b, c, d, e, f, g, h, i)",
        "v = f((a,), (b + c), (d for d in e))",
        "v = g(long_name for long_name in others)",
    ],
)
def test_a_broken_statement_is_the_same(statement):
    for width in (10, 30, 50):
        lines = wrapping.wrapped(statement, width)
        again = ast.parse("\n".join(lines).strip())
        assert ast.dump(again) == ast.dump(ast.parse(statement.strip()))


def test_what_is_short_or_has_several_lines_stays():
    assert wrapping.wrapped("x = f(a)", 10) == ["x = f(a)"]
    assert wrapping.wrapped("x = f(\n    a)", 3) == ["x = f(\n    a)"]


def test_short_numbers_stand_in_one_line():
    lines = wrapping.wrapped("    ages = buckets([18, 25, 30, 35, 40, 45, 50, 55])(number)", 44)
    assert lines == [
        "    ages = buckets([",
        "        18, 25, 30, 35, 40, 45, 50, 55,",
        "    ])(number)",
    ]


def test_lines_are_not_longer_than_they_need_be():
    text = f"    made = layers.Concatenate()([{', '.join(['first(one)', 'second(two)'] * 5)}])"
    assert max(map(len, wrapping.wrapped(text, 60))) <= 60
