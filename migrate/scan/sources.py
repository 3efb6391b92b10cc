"""The files of a program: Python and notebooks, without what git ignores and what is generated.

    for source in find(["my_jobs/"]):
        print(source.path)

A folder is walked in sorted order. Passed over are hidden folders, virtual environments and
installed packages, what a .gitignore on the way names (those above the folder too, up to the
repository's top; https://git-scm.com/docs/gitignore), and files whose first lines say that a tool
wrote them. A file that is named itself is always taken.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pathspec

from modern import cli

_ENDINGS = (".py", ".ipynb")
_GENERATED_NAME = re.compile(r"_pb2(_grpc)?\.py$")
_GENERATED = re.compile(
    rb"@generated\b|\bDO NOT (EDIT|MODIFY)\b|[Gg]enerated (automatically )?by\b"
    rb"|[Aa]uto-?generated\b"
)
_GENERATED_WITHIN = 600  # bytes
_INSTALLED = frozenset(("__pycache__", "site-packages", "node_modules"))


class Source(NamedTuple):
    """A file to be read.

    Attributes:
      path: as it was named, or below the folder that was named; a normal path.
      root: the folder that was named; for a file, the one it lies in.
    """

    path: str
    root: str

    @property
    def is_notebook(self) -> bool:
        """Whether it is a Jupyter notebook."""
        return self.path.endswith(".ipynb")


def find(paths: Sequence[str]) -> Iterator[Source]:
    """Yields the files below some paths, each once.

    Args:
      paths: files and folders.

    Raises:
      cli.UsageError: a path does not exist, or is a file that is neither Python nor a notebook.
    """
    for path in paths:
        if not os.path.exists(path):
            raise cli.UsageError(f"there is no file or folder {path!r} in {os.getcwd()}.")
        if not os.path.isdir(path) and not path.endswith(_ENDINGS):
            raise cli.UsageError(f"{path!r} is neither Python (.py) nor a notebook (.ipynb).")
    seen: set[str] = set()
    for path in paths:
        folder = os.path.isdir(path)
        alone = Source(os.path.normpath(path), os.path.dirname(path) or ".")
        for source in _below(path) if folder else [alone]:
            real = os.path.realpath(source.path)
            if real not in seen:
                seen.add(real)
                yield source


def is_generated(path: str, text: bytes) -> bool:
    """Says whether a tool wrote a file, by its name and its first lines.

    Args:
      path: the file.
      text: what it contains, or its beginning.
    """
    return bool(_GENERATED_NAME.search(path) or _GENERATED.search(text[:_GENERATED_WITHIN]))


def _below(root: str) -> Iterator[Source]:
    rules = _Ignored(root)
    for folder, folders, files in os.walk(root):
        rules.enter(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _INSTALLED
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
            and not rules.ignores(os.path.join(folder, name), is_folder=True)
        )
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith(_ENDINGS) and not rules.ignores(path, is_folder=False):
                yield Source(os.path.normpath(path), root)


class _Ignored:
    """What the .gitignore files on the way to a folder name; the nearest one decides."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._rules: dict[str, pathspec.GitIgnoreSpec] = {}
        above = self._root
        while not os.path.exists(os.path.join(above, ".git")):
            parent = os.path.dirname(above)
            if parent == above:
                return  # In no repository: only what lies below counts.
            above = parent
        folder = self._root
        while folder != above:
            folder = os.path.dirname(folder)
            self.enter(folder)

    def enter(self, folder: str) -> None:
        """Reads a folder's own file, if it has one."""
        try:
            with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as f:
                self._rules[os.path.realpath(folder)] = pathspec.GitIgnoreSpec.from_lines(f)
        except OSError:
            pass

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Says whether a path is ignored; its folder has been entered."""
        if not self._rules:
            return False
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        below = name + "/" * is_folder
        while True:
            rules = self._rules.get(folder)
            decided = rules.check_file(below).include if rules else None
            if decided is not None:
                return decided
            parent, name = os.path.split(folder)
            if parent == folder:
                return False
            folder, below = parent, f"{name}/{below}"
