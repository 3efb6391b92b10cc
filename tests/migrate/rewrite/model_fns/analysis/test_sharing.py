"""Tests for the statements that all modes share."""

import ast

import pytest

from migrate.rewrite.model_fns.analysis import sharing

TRAIN = "x = scale(x)\ny = net(x, training=True)\nloss = f(y)\n"


def shared(*texts):
    return sharing.common([ast.parse(text).body for text in texts])


def test_statements_that_each_mode_repeats_are_one():
    found = shared(TRAIN, "x = scale(x)\nz = 1\ny = net(x, training=False)\n")
    assert [one.statement.lineno for one in found] == [1, 2]
    assert [*found[0].literals] == []
    assert [*found[1].literals.values()] == ["training"]


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        ("True", "False", ["training"]),
        ("False", "True", ["not training"]),
        ("True", "True", []),
    ],
)
def test_a_flag_that_says_whether_it_trains_becomes_an_argument(first, second, texts):
    (found,) = shared(f"y = net(x, is_training={first})", f"y = net(x, is_training={second})")
    assert list(found.literals.values()) == texts


@pytest.mark.parametrize(
    "others",
    [
        ["y = net(x, rate=False)"],
        ["y = other(x, training=False)"],
        ["y = net(x, training=False)", "y = net(x, training=True)"],
    ],
)
def test_statements_that_differ_otherwise_are_not_shared(others):
    first = "y = net(x, rate=True)" if "rate" in others[0] else "y = net(x, training=True)"
    assert shared(first, *others) == []


def test_the_order_counts():
    assert [one.statement.lineno for one in shared("a = 1\nb = 2\n", "b = 2\na = 1\n")] == [1]
