"""Resolves TensorFlow names that a file uses through other files of the program.

For example, "@utils.tf.layers" in train.py is tf.layers, if utils.py in the same folder has a `tf`
that is TensorFlow. The search for a module follows Python:

1. A relative import searches from the file's folder.
2. Other imports search the file's folder and its `src`, then each folder above with its `src`, up
   to the folder that was scanned.
3. Then they search the folders of PYTHONPATH.
4. Finally, a module in a package ("pkg.utils") may lie anywhere in the program, if it is unique.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from legacy.reading import bindings

_TENSORFLOW = ("tensorflow", "tensorflow_estimator")
_MAX_DEPTH = 20  # limit of re-exports of re-exports


def heads(paths: Iterable[str]) -> frozenset[str]:
    """Returns the first parts of all names by which modules of the program may be imported.

    Args:
      paths: All files of the program.
    """
    names, folders = set(), set()
    for path in paths:
        if path.endswith(".py"):
            folder, file = os.path.split(path)
            names.add(file.removesuffix(".py"))
            folders.add(folder)
    for folder in folders:
        names.update(folder.split(os.sep))
        names.update(_packages_around(folder))
    return frozenset(names - {"", ".", ".."})


def _packages_around(folder: str) -> Iterator[str]:
    """Yields the names of a package and of those around it, which may be outside of the scan."""
    folder = os.path.abspath(folder)
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        yield os.path.basename(folder)
        folder = os.path.dirname(folder)


class LocalModules:
    """The modules of a program.

    Args:
      exported: Names of each file with their values.
      roots: Folder that was scanned, for each file.
      folders: Further folders of modules, as on PYTHONPATH.
    """

    def __init__(
        self,
        exported: Mapping[str, Mapping[str, str]],
        roots: Mapping[str, str],
        folders: Sequence[str] = (),
    ) -> None:
        self._folders = folders
        self._exported = {os.path.normpath(path): values for path, values in exported.items()}
        self._roots = {os.path.normpath(path): root for path, root in roots.items()}
        self._by_end: dict[str, list[str]] = {}
        for path in self._exported:
            self._by_end.setdefault(_end_of(path), []).append(path)
        self._find = functools.lru_cache(maxsize=50_000)(self._find_uncached)

    def full_name(self, path: str, value: str, _deep: int = 0) -> str | None:
        """Returns the TensorFlow name of a value in a file. None if it is not TensorFlow's.

        Args:
          path: The file.
          value: Value as in `legacy.reading.bindings`, with "@" in front for the program's own
            names.
        """
        for alternative in bindings.alternatives(value):
            full_name = self._full_name(path, alternative, _deep)
            if full_name is not None:
                return full_name
        return None

    def _full_name(self, path: str, value: str, depth: int) -> str | None:
        if not value.startswith("@"):
            return value if value.partition(".")[0] in _TENSORFLOW else None
        match = self._find(os.path.normpath(path), value[1:])
        if match is None or not match[1] or depth > _MAX_DEPTH:
            return None
        path, (name, _, rest) = match[0], match[1].replace("*.", "").partition(".")
        for target in self._stands_for(path, name):
            inner = f"{target}.{rest}" if rest else target
            full_name = self.full_name(path, inner, depth + 1)
            if full_name is not None:
                return full_name
        return None

    def file_of(self, path: str, module: str) -> str | None:
        """Returns the file of the program that an import loads. None for other imports.

        Args:
          path: The importing file.
          module: The imported module, with "." in front for each level of a relative import.
        """
        match = self.find(path, module)
        return match[0] if match else None

    def find(self, path: str, dotted_name: str) -> tuple[str, str] | None:
        """Returns the file of the program that a dotted name begins with, and the rest of the name.

        Args:
          path: The file that uses the name.
          dotted_name: The name.

        Returns:
          (file, rest). None for names of other modules.
        """
        return self._find(os.path.normpath(path), dotted_name)

    def _stands_for(self, path: str, name: str) -> list[str]:
        """Returns the possible values of a module's name: its own, or those of star imports."""
        exports = self._exported[path]
        if name in exports:
            return [exports[name]] if exports[name] else []
        return [f"{star}.{name}" for key, star in exports.items() if key.startswith("*")]

    def _find_uncached(self, path: str, dotted_name: str) -> tuple[str, str] | None:
        """Returns (file, rest of the name) for a dotted name in a file."""
        folder = os.path.dirname(path)
        level = len(dotted_name) - len(dotted_name.lstrip("."))
        parts = [part for part in dotted_name.split(".") if part]
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._below(folder, parts, 0)
        top = os.path.normpath(self._roots.get(path, folder))
        while True:
            for place in (folder, os.path.join(folder, "src")):
                match = self._below(place, parts, 1)
                if match is not None and match[0] != path:
                    return match
            if folder in (top, "", os.sep) or not folder.startswith("" if top == "." else top):
                break
            folder = os.path.dirname(folder)
        places = (self._below(place, parts, 1) for place in self._folders)
        return next(filter(None, places), None) or self._anywhere(parts)

    def _anywhere(self, parts: list[str]) -> tuple[str, str] | None:
        """Returns the only module of the program whose path ends in the dotted name's parts."""
        for count in range(len(parts), 1, -1):
            ends = os.sep + os.path.join(*parts[:count])
            paths = [
                path
                for path in self._by_end.get(parts[count - 1], [])
                # The scanned folder may itself be a package, such as `trainer`.
                if os.path.abspath(path).endswith((f"{ends}.py", os.path.join(ends, "__init__.py")))
            ]
            if len(paths) == 1:
                return paths[0], ".".join(parts[count:])
        return None

    def _below(self, folder: str, parts: list[str], least: int) -> tuple[str, str] | None:
        """Returns the module of a folder that matches most parts, and `least` or more."""
        for count in range(len(parts), least - 1, -1):
            base = os.path.normpath(os.path.join(folder, *parts[:count]))
            rest = ".".join(parts[count:])
            for file in (f"{base}.py",) * bool(count) + (os.path.join(base, "__init__.py"),):
                if file in self._exported and (count or rest):
                    return file, rest
        return None


def _end_of(path: str) -> str:
    """Returns the last part of the name by which a module is imported."""
    folder, file = os.path.split(path)
    return os.path.basename(folder) if file == "__init__.py" else file.removesuffix(".py")
