"""Tests that the examples in the docstrings of heads run."""

import doctest
import importlib
import pkgutil

import pytest

from legacy.estimator import heads

MODULES = [
    module.name
    for module in pkgutil.walk_packages(heads.__path__, heads.__name__ + ".")
    if not module.name.endswith(".v2")  # The plate of a room alone.
]


@pytest.mark.parametrize("name", [heads.__name__, *MODULES])
def test_the_example_of_a_module_runs(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried
    assert not failed
