"""Searches for the files of a program: the main file, and the program's modules that it imports.

    search = Search("jobs")                  # the folder of the file that is run
    search.files("jobs/train.py", "model")   # ['jobs/model.py']

`legacy.run` and `migrate rewrite` share this search, so that both see the same files of a program.
The search follows Python: first the folder of the program, then PYTHONPATH and the like. A program
may also add folders to `sys.path` itself. So a module that is not installed is searched for in the
folders above, too, up to the top of the repository. Nothing is imported.
"""

from __future__ import annotations

import ast
import functools
import importlib.machinery
import os
import sys
from collections.abc import Callable, Iterable, Iterator

from legacy.reading import callers

# Files in the top folder of a repository, or of an unpacked release.
_TOPS = (".git", "setup.py", "setup.cfg", "pyproject.toml")


def imports_in(tree: ast.Module) -> Iterator[str]:
    """Yields the imports of a file, as "a.b", or "..b" for relative ones. Some of them are modules.

    Args:
      tree: The parsed file.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            dot = "." if node.module else ""
            yield start
            yield from (f"{start}{dot}{alias.name}" for alias in node.names if alias.name != "*")


def closure(
    entries: Iterable[str],
    imports_of: Callable[[str], Iterable[str] | None],
    files_of: Callable[[str, str], Iterable[str]],
) -> list[str]:
    """Returns the files of a program in breadth-first order of imports.

    Args:
      entries: The files that are run.
      imports_of: Returns the imports of a file. None for a file that cannot be parsed. Such a file
        is left out: Python reports the error if the program imports it.
      files_of: Returns the files that an import in a file loads.
    """
    paths = []
    queue = [*entries]
    visited = set(queue)
    while queue:
        path = queue.pop(0)
        modules = imports_of(path)
        if modules is None:
            continue
        paths.append(path)
        for module in modules:
            for file in files_of(path, module):
                if file not in visited:
                    visited.add(file)
                    queue.append(file)
    return paths


def program_folders() -> list[str]:
    """Returns the folders of `sys.path` that hold programs' own modules."""
    working_folder = os.path.abspath("")
    python_path = map(os.path.abspath, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    # `python -m` adds the working folder to this process's path only, as the first entry.
    paths = [os.path.abspath(path) for path in sys.path[1:]] + [
        p for p in python_path if p != working_folder
    ]
    return [path for path in dict.fromkeys(paths) if callers.may_have_programs(path)]


def heads_in(folders: Iterable[str]) -> frozenset[str]:
    """Returns the names of a program's modules and packages in some folders.

    Args:
      folders: The folders. Folders that do not exist are skipped.
    """
    all_names = set()
    for folder in filter(os.path.isdir, folders):
        names = (entry.name.removesuffix(".py") for entry in os.scandir(folder))
        all_names.update(n for n in names if callers.may_have_programs(os.path.join(folder, n)))
    return frozenset(name for name in all_names if name.isidentifier())


class Search:
    """Search for the files of a program's modules."""

    def __init__(self, folder: str, own_part: str | None = None) -> None:
        """Collects the folders to search.

        Args:
          folder: Folder of the file that is run, which is searched first.
          own_part: Folder or file that counts as the program's. None is `folder`.
        """
        self._folders = [folder, *program_folders()]
        self._own_part = folder if own_part is None else own_part
        self._find = functools.lru_cache(maxsize=None)(self._find_uncached)
        self._names = functools.lru_cache(maxsize=None)(_names_in)

    def files(self, path: str, module: str) -> tuple[str, ...]:
        """Returns the files that an import runs. Packages around a module come before it.

        Args:
          path: The importing file.
          module: The import, as `imports_in` writes it.
        """
        return self._find(os.path.dirname(path), module)

    def _find_uncached(self, folder: str, module: str) -> tuple[str, ...]:
        level = len(module) - len(module.lstrip("."))
        parts = [part for part in module.split(".") if part]
        if level:
            above = os.path.normpath(os.path.join(folder, *[os.pardir] * (level - 1)))
            package_file = os.path.join(above, "__init__.py")
            return (
                *((package_file,) if os.path.isfile(package_file) else ()),
                *_files(above, parts),
            )
        for place in self._folders:
            # A listing of the folder answers faster than the file system, module by module.
            files = _files(place, parts) if parts[0] in self._names(place) else ()
            if files and callers.is_of_program(files[-1], self._own_part):
                return files
        if _is_installed(parts[0]):
            return ()
        for place in folders_above(folder):
            files = _files(place, parts)
            if files:
                # The repository of a program may be a clone of the toolkit.
                return files if callers.is_of_program(files[-1], self._own_part) else ()
        return ()


def _names_in(folder: str) -> frozenset[str]:
    """Returns the names of the files and folders in a folder, without ".py"."""
    try:
        return frozenset(name.removesuffix(".py") for name in os.listdir(folder or "."))
    except OSError:
        return frozenset()


def _files(folder: str, parts: list[str]) -> tuple[str, ...]:
    """Returns the files of a module in a folder, after the packages around it.

    If the last part is not a module but a name in one, returns the files of its packages.
    """
    files = []
    for count in range(1, len(parts) + 1):
        path = os.path.join(folder, *parts[:count])
        package = os.path.join(path, "__init__.py")
        if os.path.isfile(package):
            files.append(package)
        elif os.path.isfile(f"{path}.py"):
            return (*files, f"{path}.py")
        elif not os.path.isdir(path):
            break
    return tuple(files)


def folders_above(folder: str) -> Iterator[str]:
    """Yields a folder and those above it, each with its `src`, up to the top of a repository.

    Args:
      folder: Folder of a program's file.
    """
    above = os.path.abspath(folder)
    tops = [above]
    while not any(os.path.exists(os.path.join(tops[-1], name)) for name in _TOPS):
        if os.path.dirname(tops[-1]) == tops[-1]:
            tops = tops[:2]  # Not in a repository: only the nearest two.
            break
        tops.append(os.path.dirname(tops[-1]))
    for top in tops:
        yield top
        yield os.path.join(top, "src")


@functools.cache
def _is_installed(name: str) -> bool:
    """Returns whether a module belongs to Python or to an installed library."""
    if name in sys.stdlib_module_names or name in sys.builtin_module_names:
        return True
    if name in callers.TOOLKIT:  # A program may have a package of this name.
        return False
    folders = [path for path in sys.path if path and not callers.may_have_programs(path)]
    return importlib.machinery.PathFinder.find_spec(name, folders) is not None
