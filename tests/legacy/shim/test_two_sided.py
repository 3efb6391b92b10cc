"""Tests of modules that answer by caller."""

import math
import types
from unittest import mock

import pytest

from legacy.shim import modules, two_sided


def test_two_sided_module(monkeypatch):
    seen = two_sided.new("numbers", math, modules.View("numbers", math, {"pi": 3}, "v1"))
    assert seen.pi == 3
    seen.tau = 6
    assert seen.tau == 6
    monkeypatch.setattr(two_sided.callers, "in_program", lambda frame: False)
    assert (seen.pi, seen.tau) == (math.pi, math.tau)


def test_the_program_sees_other_values_of_some_names(monkeypatch):
    library, program = types.ModuleType("both"), types.ModuleType("program")
    library.same = program.same = 1
    library.differs, program.differs = 2, 3
    two_sided.make(library, program, frozenset(["differs"]))
    assert two_sided.program_side(library) is program
    assert (library.same, library.differs) == (1, 3)
    library.differs = 4
    monkeypatch.setattr(two_sided.callers, "in_program", lambda frame: False)
    assert (library.differs, program.differs) == (2, 4)
    two_sided.unmake(library)
    monkeypatch.undo()
    assert library.differs == 2


def _whole():
    return two_sided.new("numbers", math, modules.View("numbers", math, {"pi": 3}, "v1"))


def _partly():
    library = types.ModuleType("numbers")
    library.pi, library.e = math.pi, math.e
    program = modules.View("numbers", library, {"pi": 3}, "v1")
    two_sided.make(library, program, frozenset(["pi"]))
    return library


@pytest.mark.parametrize("make", [_whole, _partly])
@pytest.mark.parametrize(("name", "value"), [("pi", 3), ("e", math.e)])
def test_a_mock_is_undone(make, name, value):
    module = make()
    for _ in range(2):
        with mock.patch.object(module, name, "mocked"):
            assert getattr(module, name) == "mocked"
        assert getattr(module, name) == value
    with mock.patch.object(module, "other", 1, create=True):
        assert module.other == 1
    assert not hasattr(module, "other")


@pytest.mark.parametrize("make", [_whole, _partly])
def test_names_of_a_module_are_those_of_the_caller(make, monkeypatch):
    module = make()
    assert vars(module)["pi"] == 3
    monkeypatch.setattr(two_sided.callers, "in_program", lambda frame: False)
    assert module.pi == math.pi
    assert "pi" not in vars(module) or vars(module)["pi"] == math.pi
