"""Converts and indexes arrays as NumPy 1 did.

>>> import numpy
>>> restore_conversion(numpy)
>>> float(numpy.array([[0.5]])), int(numpy.array([7])), "%d" % numpy.array([7])
(0.5, 7, '7')

NumPy 2.4 converts only arrays without dimensions. Programs convert the results of sessions and the
rows of labels in this way. NumPy 1.23 and later refuse a list of slices as an index.
"""

from __future__ import annotations

import ctypes
import gc
import types
from collections.abc import Callable, Mapping
from typing import Any

# Positions in CPython's structs, counted in pointers: `tp_as_number` and `tp_as_mapping` in
# PyTypeObject, and the slots of the methods below them.
_NUMBER, _MAPPING = 12, 14
_SLOTS = {
    _NUMBER: {"__int__": 16, "__float__": 18},
    _MAPPING: {"__getitem__": 1, "__setitem__": 2},
}


def restore_conversion(numpy: types.ModuleType) -> None:
    """Converts arrays with one element to numbers. Does nothing if this NumPy does so itself.

    Args:
      numpy: The module.
    """
    try:
        float(numpy.ones(1))
    except TypeError:
        names = ("__int__", "__float__", "__complex__")
        methods = {name: _with_one_element(getattr(numpy.ndarray, name)) for name in names}
        _replace_methods(numpy.ndarray, methods, _NUMBER)


def restore_indexing(numpy: types.ModuleType) -> None:
    """Accepts a list of slices as an index, as in `array[[slice(0, 2), slice(1, 3)]]`.

    All indexing gets slower by the time of a Python call. So only a program that calls `slice`
    itself should use this.

    Args:
      numpy: The module.
    """
    try:
        numpy.ones((1, 1))[[slice(1), slice(1)]]
    except IndexError:
        names = ("__getitem__", "__setitem__")
        methods = {name: _with_slices(getattr(numpy.ndarray, name)) for name in names}
        _replace_methods(numpy.ndarray, methods, _MAPPING)


def _with_one_element(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def call(self: Any) -> Any:
        return convert(self.reshape(()) if self.ndim and self.size == 1 else self)

    return call


def _with_slices(access: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Any, index: Any, *value: Any) -> Any:
        if type(index) is list and any(part is ... or type(part) is slice for part in index):
            index = tuple(index)
        return access(self, index, *value)

    return call


def _replace_methods(owner: type, methods: Mapping[str, Callable[..., Any]], kind: int) -> None:
    """Replaces methods of a class that is written in C. Does nothing on an unknown Python."""
    python_slots = _slots(_WithMethods, kind)
    empty_slots = _slots(_WithoutMethods, kind)
    indices = _SLOTS[kind].values()
    if not all(python_slots[index] and not empty_slots[index] for index in indices):
        return
    (names,) = gc.get_referents(vars(owner))
    names.update(methods)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))
    # Python calls the slots and not the methods. These slots call the methods.
    slots = _slots(owner, kind)
    for index in indices:
        slots[index] = python_slots[index]


class _WithMethods:
    """A class whose slots call the methods that are written in Python."""

    def __int__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0

    def __getitem__(self, index: Any) -> None:
        return None

    def __setitem__(self, index: Any, value: Any) -> None:
        return None


class _WithoutMethods:
    """A class whose slots are empty."""


def _slots(owner: type, kind: int) -> Any:
    """Returns the slots of a class, as an array of pointers that can be set."""
    pointers = ctypes.POINTER(ctypes.c_void_p)
    address = ctypes.cast(id(owner), pointers)[kind]
    return ctypes.cast(address, pointers)
