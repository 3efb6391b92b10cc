"""Calls functions with modules after a program imports them.

after_import.call({"tf_keras": lambda module: print(module.__version__)})

All functions share one finder, so that several may wait for a module.
"""

from __future__ import annotations

import importlib.abc
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

_pending: dict[str, list[Callable[[types.ModuleType], None]]] = {}


def call(functions: Mapping[str, Callable[[types.ModuleType], None]]) -> None:
    """Calls each function when its module is imported, or at once if it is imported already.

    Args:
      functions: Functions by module name.
    """
    for name, function in functions.items():
        if name in sys.modules:
            function(sys.modules[name])
        else:
            _pending.setdefault(name, []).append(function)
    if not any(isinstance(finder, _AfterImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterImport())


class _AfterImport(importlib.abc.MetaPathFinder):
    """Finder that calls the pending functions with modules that have just been imported."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Finds a module as the other finders do."""
        if name not in _pending:
            return None
        finders = (finder for finder in sys.meta_path if finder is not self)
        specs = (
            finder.find_spec(name, path, target)
            for finder in finders
            if hasattr(finder, "find_spec")
        )
        spec: Any = next((spec for spec in specs if spec is not None), None)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            execute(module)
            # Called here and not in find_spec, because `importlib.util.find_spec` does not import
            # the module. An old program may import another module of the same name later.
            for function in _pending.pop(name, ()):
                function(module)

        spec.loader.exec_module = exec_module
        return spec
