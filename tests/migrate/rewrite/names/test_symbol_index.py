"""Tests for the names in modules of legacy, read from their source."""

import importlib

import pytest

from migrate.rewrite.names import symbol_index


@pytest.mark.parametrize(
    ("module", "name", "has"),
    [
        ("legacy.contrib", "layers", True),
        ("legacy.contrib", "absent", False),
        ("legacy.contrib.layers", "l2_regularizer", True),
        ("legacy.contrib.layers", "absent", False),
        ("legacy.contrib.slim", "conv2d", True),
        ("legacy.estimator", "Estimator", True),
        ("legacy.estimator", "export", True),
        ("legacy.nothing", "any", False),
        ("nothing", "any", False),
    ],
)
def test_agrees_with_the_imported_module(module, name, has):
    assert symbol_index.has(module, name) is has
    if symbol_index.is_module(module):
        assert hasattr(importlib.import_module(module), name) is has


def test_finds_the_module_that_defines_a_name():
    module, name = symbol_index.origin("legacy.contrib.layers", "l2_regularizer")
    assert module != "legacy.contrib.layers"
    defined = getattr(importlib.import_module(module), name)
    assert defined.__module__ == module
    assert symbol_index.origin(module, name) == (module, name)


def test_other_packages_are_not_read():
    assert symbol_index.is_module("legacy.contrib.layers")
    assert not symbol_index.is_module("migrate.rewrite")
    assert symbol_index.origin("migrate.rewrite", "any") == ("migrate.rewrite", "any")
