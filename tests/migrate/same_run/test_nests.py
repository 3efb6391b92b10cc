"""Tests for the differences of nested values."""

import numpy as np
import pytest

from migrate.same_run import nests


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ({"a": [1, "x"]}, {"a": [1, "x"]}, []),
        ({"a": np.nan}, {"a": np.nan}, []),
        ({"a": 1.0}, {"a": 1.000_001}, []),
        ({"a": 10**9}, {"a": 10**9 + 1}, ["a: 1000000000 before, 1000000001 after (off by 1)"]),
        ({"b": 2}, {"c": "x"}, ["b: 2 before, missing after", "c: missing before, 'x' after"]),
        ([1.0], [1.0, 2.0], [": 1 values before, 2 after"]),
        ({"a": {"b": [[1]]}}, {"a": {"b": 1}}, ["a, b: shape (1, 1) before, () after"]),
        ("1", 1, [": '1' before, 1 after"]),
    ],
)
def test_a_line_for_each_place(before, after, lines):
    assert nests.differences(before, after) == lines


def test_the_largest_difference_of_an_array_is_shown():
    before = np.zeros((2, 3))
    after = np.array([[0, 0.25, 0], [0, 0, -4]])
    assert nests.differences(before, after, "loss") == [
        "loss[1][2]: 0.0 before, -4.0 after (off by 4); 2 of 6 values differ"
    ]
    assert nests.differences(before, after, tolerance=nests.Tolerance(0, 4)) == []


def test_the_relative_tolerance_is_of_the_value_before():
    assert list(nests.Tolerance(rtol=0.5, atol=0).agrees([1.0, 2.0], [2.0, 1.0])) == [False, True]
