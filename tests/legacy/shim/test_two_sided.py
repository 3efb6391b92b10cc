"""Tests of modules that answer by caller."""

import math
import types

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
