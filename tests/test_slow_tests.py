"""Tests of the list of slow tests."""

import types

import pytest

from tests import slow_tests


def collected(*names, args=("tests",)):
    """Returns (items, names of the items that were marked) of a run with these arguments."""
    marked = []
    config = types.SimpleNamespace(args=args)
    items = [
        types.SimpleNamespace(
            nodeid=name,
            config=config,
            add_marker=lambda marker, name=name: marked.append((name, marker)),
        )
        for name in names
    ]
    return items, marked


def test_the_listed_tests_are_marked():
    items, marked = collected("a.py::one", "a.py::two[x]", "a.py::two[y]")
    slow_tests.mark(items, ["a.py::two[x]", "tests/test_readme.py::other"])
    assert marked == [("a.py::two[x]", "slow")]


def test_a_name_without_a_test_is_an_error():
    items, _ = collected("a.py::one")
    with pytest.raises(pytest.UsageError, match=r"does not exist: a.py::two$"):
        slow_tests.mark(items, ["a.py::two"])


def test_a_name_without_a_file_is_an_error():
    items, _ = collected("a.py::one")
    with pytest.raises(pytest.UsageError, match=r"does not exist: b.py::one$"):
        slow_tests.mark(items, ["b.py::one"])


def test_a_run_of_single_tests_collects_no_others():
    items, marked = collected("a.py::one", args=["a.py::one"])
    slow_tests.mark(items, ["tests/test_readme.py::two"])
    assert not marked
