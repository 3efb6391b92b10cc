"""Finds the files of a project that an installed tool runs, such as the tests that pytest runs.

    projects.files(["tests/", "-k", "train"])      # ['tests/test_train.py', ...]
    projects.own_parts()                           # ['/project']

The project is in the working folder. Nothing is imported.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from legacy.reading import callers

_MOST_FILES = 5000  # So that the choice of the API takes seconds, even in a home folder.


def files(arguments: Sequence[str]) -> list[str]:
    """Returns the Python files that the arguments of a tool name.

    Args:
      arguments: Files, folders, tests of pytest ("a.py::test") and names of unittest ("a.b.Test").
        Others, such as options, are skipped.

    Returns:
      The files, and those below the folders. If no argument names any, all files below the working
      folder.
    """
    paths = filter(None, map(_path_of, arguments))
    python_files = list(dict.fromkeys(_python_files(paths))) or _python_files(["."])
    return list(itertools.islice(python_files, _MOST_FILES))


def own_parts() -> list[str]:
    """Returns the folders and files that count as the project's.

    These are the working folder and the installed copies of its packages, because a suite in
    `tests/` may test the package that `pip install .` has copied.
    """
    working_folder = os.getcwd()
    parts = [] if callers.holds_libraries(working_folder) else [working_folder]
    libraries = [path for path in sys.path if path and callers.holds_libraries(path)]
    for name in _packages((working_folder, os.path.join(working_folder, "src"))):
        for folder in libraries:
            for path in (os.path.join(folder, name), os.path.join(folder, f"{name}.py")):
                if os.path.exists(path) and callers.own_part(path, folder):
                    parts.append(path)
    return parts


def _path_of(argument: str) -> str | None:
    """Returns the file or folder that an argument names. None for other arguments."""
    path = argument.partition("::")[0]
    if not path or path.startswith("-"):
        return None
    if os.path.exists(path):
        return path
    parts = path.split(".")
    while parts and all(parts):
        base = os.path.join(*parts)
        if os.path.isdir(base):
            return base
        if os.path.isfile(f"{base}.py"):
            return f"{base}.py"
        parts.pop()
    return None


def _python_files(paths: Iterable[str]) -> Iterator[str]:
    """Yields files, and the Python files below folders."""
    for path in paths:
        if path.endswith(".py"):
            yield path
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if _is_source(folder, name))
            python_files = (
                os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")
            )
            yield from map(os.path.normpath, python_files)


def _is_source(folder: str, name: str) -> bool:
    """Returns whether a folder may have source files. Environments and hidden folders have none."""
    path = os.path.join(folder, name)
    is_environment = os.path.exists(os.path.join(path, "pyvenv.cfg"))
    return not (name.startswith((".", "__pycache__")) or is_environment) and (
        callers.may_have_programs(path)
    )


def _packages(folders: Iterable[str]) -> list[str]:
    """Returns the names of the packages and modules in some folders."""
    names = []
    for folder in filter(os.path.isdir, folders):
        for entry in os.scandir(folder):
            if os.path.isfile(os.path.join(entry.path, "__init__.py")):
                names.append(entry.name)
            elif entry.is_file() and entry.name.endswith(".py"):
                names.append(entry.name.removesuffix(".py"))
    return sorted(set(names))
