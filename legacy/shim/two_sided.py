"""Modules that answer by who asks: the program sees one module, libraries another.

from legacy.shim import two_sided

two_sided.make(tensorflow, program=view)      # in place: whoever holds it holds the same object
"""

from __future__ import annotations

import sys
import types
from typing import Any

from legacy.names import tables
from legacy.reading import callers
from legacy.shim import modules

# What says how a module was found is the same for all.
_SHARED = frozenset(("__class__", "__dict__", "__loader__", "__name__", "__path__", "__spec__"))


class TwoSided(modules.Named):
    """A module of which the program sees every name elsewhere."""

    _program: types.ModuleType
    _library: types.ModuleType | None = None

    def __getattribute__(self, name: str) -> Any:
        """Looks a name up for who asks."""
        own = types.ModuleType.__getattribute__
        if name in _SHARED:
            return own(self, name)
        cls = type(self)
        if callers.in_program(sys._getframe(1)):
            return getattr(cls._program, name)
        return own(self, name) if cls._library is None else getattr(cls._library, name)

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
        return sorted(self.__dict__) if cls._library is None else dir(cls._library)


class PartlyTwoSided(modules.Named):
    """A module of which the program sees some names elsewhere: the others cost nothing.

    Eager programs look names up in every step. `make` gives the subclass a property for each name
    that differs.
    """

    _program: types.ModuleType

    def __getattr__(self, name: str) -> Any:
        """Says of a name that is missing what to do, to the program."""
        if callers.in_program(sys._getframe(1)):
            return getattr(type(self)._program, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        in_program = callers.in_program(sys._getframe(1))
        return dir(type(self)._program) if in_program else sorted(self.__dict__)


def _property(name: str) -> property:
    def get(self: PartlyTwoSided) -> Any:
        if callers.in_program(sys._getframe(1)):
            return getattr(type(self)._program, name)
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None

    def set_(self: PartlyTwoSided, value: Any) -> None:
        frame = sys._getframe(1)
        if callers.in_program(frame) and not _is_importing(frame):
            setattr(type(self)._program, name, value)
        else:
            self.__dict__[name] = value

    def delete(self: PartlyTwoSided) -> None:
        if callers.in_program(sys._getframe(1)):
            delattr(type(self)._program, name)
        else:
            del self.__dict__[name]

    return property(get, set_, delete)


def _is_importing(frame: types.FrameType) -> bool:
    """Says whether it is the import system that sets a submodule in its parent."""
    return frame.f_globals.get("__name__") == "importlib._bootstrap"


def make(
    module: types.ModuleType, program: types.ModuleType, names: frozenset[str] | None = None
) -> None:
    """Has a module, in place, show the program something else than libraries.

    Args:
      module: The module; whoever holds it holds the same object afterwards.
      program: What the program sees of it.
      names: The names that differ, if the others are the same to both; None: any may differ.
    """
    members: dict[str, Any] = {"_program": program}
    if names is None:
        module.__class__ = type("TwoSidedModule", (TwoSided,), members)
    else:
        members.update((name, _property(name)) for name in names - _SHARED)
        module.__class__ = type("PartlyTwoSidedModule", (PartlyTwoSided,), members)


def unmake(module: types.ModuleType) -> None:
    """Takes `make` back."""
    module.__class__ = types.ModuleType


def new(name: str, library: types.ModuleType, program: types.ModuleType) -> types.ModuleType:
    """Returns a new module that shows libraries one module and the program another."""
    cls = type("TwoSidedModule", (TwoSided,), {"_program": program, "_library": library})
    module = cls(name)
    vars(module)["__path__"] = getattr(library, "__path__", [])
    return module


def program_side(module: types.ModuleType) -> types.ModuleType:
    """Returns what the program sees of a module."""
    return getattr(type(module), "_program", module)
