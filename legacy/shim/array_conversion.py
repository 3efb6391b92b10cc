"""Converts arrays with one element to numbers, as NumPy 1 did.

>>> import numpy
>>> restore(numpy)
>>> float(numpy.array([[0.5]])), int(numpy.array([7])), "%d" % numpy.array([7])
(0.5, 7, '7')

NumPy 2.4 converts only arrays without dimensions. Programs convert the results of sessions and the
rows of labels in this way.
"""

from __future__ import annotations

import ctypes
import gc
import types
from collections.abc import Callable
from typing import Any

# Positions in CPython's structs, counted in pointers: `tp_as_number` in PyTypeObject, `nb_int` and
# `nb_float` in PyNumberMethods.
_AS_NUMBER = 12
_SLOTS = {"__int__": 16, "__float__": 18}


def restore(numpy: types.ModuleType) -> None:
    """Restores the conversions. Does nothing if this NumPy has them, or on another Python.

    Args:
      numpy: The module.
    """
    if _converts(numpy) or not _has_known_layout():
        return
    (methods,) = gc.get_referents(vars(numpy.ndarray))
    for name in (*_SLOTS, "__complex__"):
        methods[name] = _with_one_element(getattr(numpy.ndarray, name))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(numpy.ndarray))
    # Python calls the slots and not the methods. These slots call the methods.
    python_slots, slots = _number_slots(_Convertible), _number_slots(numpy.ndarray)
    for index in _SLOTS.values():
        slots[index] = python_slots[index]


def _with_one_element(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def call(self: Any) -> Any:
        return convert(self.reshape(()) if self.ndim and self.size == 1 else self)

    return call


class _Convertible:
    """A class whose slots call the methods that are written in Python."""

    def __int__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0


class _NotConvertible:
    """A class whose slots are empty."""


def _has_known_layout() -> bool:
    """Returns whether the slots are where this module expects them."""
    used, empty = _number_slots(_Convertible), _number_slots(_NotConvertible)
    return all(used[index] and not empty[index] for index in _SLOTS.values())


def _number_slots(owner: type) -> Any:
    """Returns the number slots of a class, as an array of pointers that can be set."""
    pointers = ctypes.POINTER(ctypes.c_void_p)
    address = ctypes.cast(id(owner), pointers)[_AS_NUMBER]
    return ctypes.cast(address, pointers)


def _converts(numpy: types.ModuleType) -> bool:
    try:
        return bool(float(numpy.ones(1)))
    except TypeError:
        return False
