"""Defers the import of pandas by Keras until it is used.

    with deferred_pandas.held():
        import tensorflow as tf

Keras imports pandas to recognize a DataFrame, and most trainings never show it one.
docs/performance.md has figures, under "Start of a process".
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any

_NAME = "pandas"


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Puts a deferred module in the place of pandas while the block runs.

    A module that is imported in the block keeps the deferred one. Later imports find pandas itself.
    Does nothing if pandas is imported already or is not installed.
    """
    spec = None if _NAME in sys.modules else importlib.util.find_spec(_NAME)
    if spec is None:
        yield
        return
    deferred = _Deferred(_NAME)
    deferred.__spec__ = spec  # torch asks for it.
    sys.modules[_NAME] = deferred
    try:
        yield
    finally:
        _remove(deferred)


class _Deferred(types.ModuleType):
    """A module that is imported when one of its attributes is asked for."""

    def __getattr__(self, name: str) -> Any:
        # `inspect` asks all modules for their files.
        if name == "__file__" and sys.modules.get(self.__name__) is self:
            raise AttributeError(name)
        _remove(self)
        try:
            module = importlib.import_module(self.__name__)
        except ImportError:
            # A broken pandas. Keras would do without it: no value is of any class of pandas.
            return type(name, (), {})
        return getattr(module, name)


def _remove(module: types.ModuleType) -> None:
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]
