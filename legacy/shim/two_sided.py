"""Modules that answer by caller: the program sees one module, libraries another.

    from legacy.shim import two_sided

    two_sided.make(tensorflow, program=view)      # in place: references stay valid

`legacy.reading.callers` tells the program's code from that of libraries.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from legacy.names import tables
from legacy.reading import callers
from legacy.shim import modules

# Names of the import system, which are the same for all callers.
_SHARED = frozenset(("__class__", "__loader__", "__name__", "__path__", "__spec__"))

# Returns the `__dict__` of a module whose class replaces this attribute.
_own_names = types.ModuleType.__dict__["__dict__"].__get__


class _ProgramNames(dict[str, Any]):
    """The `__dict__` of a module, for the program.

    Mocks restore the value that they find here. So it is the value that the program sees.
    """

    def __init__(
        self,
        names: dict[str, Any],
        program: types.ModuleType,
        differ: frozenset[str] | None = None,
    ) -> None:
        super().__init__(names)
        self._program, self._differ = program, differ

    def __getitem__(self, name: str) -> Any:
        if self._differ is not None and name not in self._differ:
            return super().__getitem__(name)
        try:
            return getattr(self._program, name)
        except AttributeError:
            raise KeyError(name) from None


class TwoSided(modules.Named):
    """A module whose names all come from another module when the program looks them up."""

    _program: types.ModuleType
    _library: types.ModuleType | None = None

    def __getattribute__(self, name: str) -> Any:
        """Looks a name up for the caller."""
        # Any lookup on `self` would call this method again. So names of the module are read by the
        # base class, and the two modules are kept on the class.
        get_own = types.ModuleType.__getattribute__
        if name in _SHARED:
            return get_own(self, name)
        cls = type(self)
        in_program = callers.in_program(sys._getframe(1))
        if name == "__dict__":
            names = _own_names(self)
            return _ProgramNames(names, cls._program) if in_program else names
        if in_program:
            return getattr(cls._program, name)
        return get_own(self, name) if cls._library is None else getattr(cls._library, name)

    def __setattr__(self, name: str, value: Any) -> None:
        frame = sys._getframe(1)
        importing = _is_importing(frame)
        if name not in _SHARED and not importing and callers.in_program(frame):
            setattr(type(self)._program, name, value)
        elif not (importing and name in tables.SERVED_BELOW_TENSORFLOW):
            types.ModuleType.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if callers.in_program(sys._getframe(1)):
            delattr(type(self)._program, name)
        else:
            types.ModuleType.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        cls = type(self)
        if callers.in_program(sys._getframe(1)):
            return dir(cls._program)
        return sorted(_own_names(self)) if cls._library is None else dir(cls._library)


class PartlyTwoSided(modules.Named):
    """A module of which the program sees some names elsewhere. Its other names cost nothing.

    Eager programs look names up in every step. `make` adds a property to the subclass for each name
    that differs.
    """

    _program: types.ModuleType
    _differ: frozenset[str]

    @property
    def __dict__(self) -> dict[str, Any]:
        """The names of the module, with the values that the caller sees."""
        names, cls = _own_names(self), type(self)
        if callers.in_program(sys._getframe(1)):
            return _ProgramNames(names, cls._program, cls._differ)
        return names

    def __getattr__(self, name: str) -> Any:
        """Raises the program's error for a missing name, which includes instructions."""
        if callers.in_program(sys._getframe(1)):
            return getattr(type(self)._program, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        in_program = callers.in_program(sys._getframe(1))
        return dir(type(self)._program) if in_program else sorted(_own_names(self))


def _property(name: str) -> property:
    def get(self: PartlyTwoSided) -> Any:
        if callers.in_program(sys._getframe(1)):
            return getattr(type(self)._program, name)
        try:
            return _own_names(self)[name]
        except KeyError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None

    def set_(self: PartlyTwoSided, value: Any) -> None:
        frame = sys._getframe(1)
        if callers.in_program(frame) and not _is_importing(frame):
            setattr(type(self)._program, name, value)
        else:
            _own_names(self)[name] = value

    def delete(self: PartlyTwoSided) -> None:
        if callers.in_program(sys._getframe(1)):
            delattr(type(self)._program, name)
        else:
            del _own_names(self)[name]

    return property(get, set_, delete)


def _is_importing(frame: types.FrameType) -> bool:
    """Returns whether the import system is the caller, which binds submodules in their parent."""
    return frame.f_globals.get("__name__") == "importlib._bootstrap"


def make(
    module: types.ModuleType, program: types.ModuleType, names: frozenset[str] | None = None
) -> None:
    """Makes a module show the program other names than libraries. Works in place.

    Args:
      module: The module. References to it stay valid.
      program: The module that the program sees instead.
      names: Names that differ, if all others are the same for both. None if any name may differ.
    """
    members: dict[str, Any] = {"_program": program}
    if names is None:
        module.__class__ = type("TwoSidedModule", (TwoSided,), members)
    else:
        # Properties take precedence over the `__dict__` of the module. Other names stay plain
        # lookups.
        members.update((name, _property(name)) for name in names - _SHARED)
        members["_differ"] = names
        module.__class__ = type("PartlyTwoSidedModule", (PartlyTwoSided,), members)


def unmake(module: types.ModuleType) -> None:
    """Reverts `make`."""
    module.__class__ = types.ModuleType


def new(name: str, library: types.ModuleType, program: types.ModuleType) -> types.ModuleType:
    """Returns a new module that shows libraries one module and the program another."""
    cls = type("TwoSidedModule", (TwoSided,), {"_program": program, "_library": library})
    module = cls(name)
    vars(module)["__path__"] = getattr(library, "__path__", [])
    return module


def program_side(module: types.ModuleType) -> types.ModuleType:
    """Returns the module that the program sees in place of a module."""
    return getattr(type(module), "_program", module)
