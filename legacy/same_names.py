"""Lets a program have its own packages named `legacy`, `modern`, `migrate` or `benchmarks`.

    from legacy import same_names

    same_names.separate(["/jobs"])     # if /jobs has such a package or module

Python has one module per name. So the modules of this toolkit are kept apart from `sys.modules`.
They are there only while code of the toolkit imports.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.machinery
import itertools
import os
import sys
import threading
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from legacy.reading import callers, program_files

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OURS = tuple(os.path.join(_ROOT, name) + os.sep for name in callers.TOOLKIT)


def names_in(folders: Iterable[str]) -> frozenset[str]:
    """Returns the names of this toolkit's packages that a program has, too.

    Args:
      folders: Folders of the program's modules.
    """
    other_folders = [folder for folder in map(os.path.abspath, folders) if folder != _ROOT]
    return frozenset(
        name
        for name in callers.TOOLKIT
        for folder in other_folders
        if os.path.isfile(os.path.join(folder, f"{name}.py")) or _has_modules(folder, name)
    )


def _has_modules(folder: str, name: str) -> bool:
    path = os.path.join(folder, name)
    return os.path.isdir(path) and any(entry.endswith(".py") for entry in os.listdir(path))


def separate(folders: Iterable[str]) -> None:
    """Keeps the toolkit's packages apart from those of a program, if a name is in both.

    Args:
      folders: Folders of the program's modules. A program may add the folders above them to
        `sys.path` itself.
    """
    folders = list(itertools.chain.from_iterable(map(program_files.folders_above, folders)))
    names = names_in(folders)
    if names:
        _Separation(names, folders).install()


class _Separation:
    """Imports of some names by the toolkit and by the program, each with its own modules."""

    def __init__(self, names: frozenset[str], folders: Sequence[str]) -> None:
        self._names = names
        self._folders = [folder for folder in map(os.path.abspath, folders) if folder != _ROOT]
        self._lock = threading.RLock()
        self._is_ours = False  # True while the toolkit's modules are in `sys.modules`.
        self._other_modules: dict[str, types.ModuleType] = {}  # The modules of the other side.

    def install(self) -> None:
        """Replaces Python's functions for imports in this process."""
        self._other_modules = self._taken_modules()
        sys.meta_path.insert(0, self)
        import_, import_module = builtins.__import__, importlib.import_module

        def separate_import(
            name: str,
            globals: Any = None,
            locals: Any = None,
            fromlist: Any = (),
            level: int = 0,
        ) -> types.ModuleType:
            package = ((globals or {}).get("__package__") or "") if level else name
            if package.partition(".")[0] not in self._names:
                return import_(name, globals, locals, fromlist, level)
            with self._side_of(sys._getframe(1)):
                return import_(name, globals, locals, fromlist, level)

        def separate_import_module(name: str, package: str | None = None) -> types.ModuleType:
            if (package if name.startswith(".") else name or "").partition(".")[
                0
            ] not in self._names:
                return import_module(name, package)
            with self._side_of(sys._getframe(1)):
                return import_module(name, package)

        builtins.__import__ = separate_import
        importlib.import_module = separate_import_module

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """Finds the package of the side that imports it. None for any other module.

        Args:
          name: Full name of the module.
          path: Folders of the package around it. None for a package.
          target: Not used.
        """
        if name not in self._names:
            return None
        folders = [_ROOT]
        if not self._is_ours:
            folders = [folder for folder in sys.path if os.path.abspath(folder) != _ROOT]
            folders += self._folders
        return importlib.machinery.PathFinder.find_spec(name, folders)

    @contextlib.contextmanager
    def _side_of(self, frame: types.FrameType | None) -> Iterator[None]:
        """Puts the modules of the side that a frame belongs to into `sys.modules`."""
        ours = _is_ours(frame)
        with self._lock:
            was_ours = self._is_ours
            self._switch(ours)
            try:
                yield
            finally:
                self._switch(was_ours)

    def _switch(self, ours: bool) -> None:
        if ours != self._is_ours:
            modules = self._taken_modules()
            sys.modules.update(self._other_modules)
            self._other_modules, self._is_ours = modules, ours

    def _taken_modules(self) -> dict[str, types.ModuleType]:
        """Removes the modules below the names from `sys.modules`, and returns them."""
        names = [name for name in sys.modules if name.partition(".")[0] in self._names]
        return {name: sys.modules.pop(name) for name in names}


def _is_ours(frame: types.FrameType | None) -> bool:
    """Returns whether a frame runs the toolkit's code. Frames of Python's importing are skipped."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_OURS):
            return file != __file__ or _is_ours(frame.f_back)
        if not file.startswith("<frozen importlib"):
            return False
        frame = frame.f_back
    return False
