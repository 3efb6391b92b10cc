"""Tests that the docstrings of estimators, heads, exporters and hooks describe all arguments."""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

from legacy.estimator import canned, docstrings, heads
from legacy.estimator.canned import argument_texts as canned_texts
from legacy.estimator.docstrings import documented

MODULES = [
    "legacy.estimator.export.exporters",
    "legacy.estimator.hooks.early_stopping",
    *(
        module.name
        for room in (heads, canned)
        for module in pkgutil.walk_packages(room.__path__, room.__name__ + ".")
    ),
]
DEFINITIONS = [
    pytest.param(value, id=f"{name}.{value.__qualname__}")
    for name in MODULES
    for value in vars(importlib.import_module(name)).values()
    if inspect.isclass(value) or inspect.isfunction(value)
    if value.__module__ == name and not value.__name__.startswith("_")
]


def members(definition):
    """Returns a function or class, and the methods and properties that the class defines."""
    own = vars(definition).values() if inspect.isclass(definition) else ()
    return [definition, *(x for x in own if inspect.isfunction(x) or isinstance(x, property))]


@pytest.mark.parametrize("module", [docstrings, canned_texts])
def test_the_example_of_a_module_runs(module):
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_no_placeholder_is_left(definition):
    texts = [inspect.getdoc(member) or "" for member in members(definition)]
    assert [text for text in texts if re.search(r"\{\w+\}", text)] == []


@pytest.mark.parametrize(
    "kind",
    [p for p in DEFINITIONS if "__init__" in vars(p.values[0]) and p.values[0].__doc__],
)
def test_a_class_describes_the_arguments_of_its_constructor(kind):
    described = set(re.findall(r"^  \**(\w+): ", inspect.getdoc(kind), re.MULTILINE))
    assert set(inspect.signature(kind).parameters) - described == set()


def test_own_descriptions_replace_those_of_the_table():
    @documented({"rate": "Rate.", "steps": "Steps."}, rate="Learning rate.")
    def train(rate, steps):
        """Trains.

        {args}

        Returns:
          A model.
        """

    expected = "Trains.\n\nArgs:\n  rate: Learning rate.\n  steps: Steps.\n\nReturns:\n  A model."
    assert train.__doc__ == expected


def test_long_descriptions_are_wrapped():
    @documented({"rate": "word " * 40})
    def train(rate):
        """{args}"""

    lines = train.__doc__.splitlines()[1:]
    assert [line[: len(line) - len(line.lstrip())] for line in lines] == ["  ", "    ", "    "]
    assert max(map(len, lines)) <= 100


def test_an_argument_without_a_description_is_an_error():
    def train(rate):
        """{args}"""

    with pytest.raises(KeyError, match="rate"):
        documented({})(train)
