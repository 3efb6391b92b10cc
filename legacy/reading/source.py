"""Reads an old program without running it: its file, its text, and the modules that it imports.

    from legacy.reading import source

    program = source.find("OLD.py")         # or source.find_module("package.module")
    for module in program.modules():
        print(module.path)

A program that cannot run raises `ProgramError`, with instructions. For example, its file does not
exist, has a syntax error or is Python 2.
"""

from __future__ import annotations

import ast
import importlib.machinery
import io
import os
import re
import sys
import sysconfig
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Mapping

from legacy.reading import callers, program_files


class ProgramError(Exception):
    """Error for a program that cannot be run. The message has the reason and instructions.

    Attributes:
      reason: A short reason why the source does not parse.
      line: The line of the error, if it is known.
    """

    def __init__(self, message: str, reason: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.reason, self.line = reason or message, line


class Module:
    """A file of the program, parsed."""

    def __init__(
        self, path: str, tree: ast.Module, folder: str, own_part: str | None = None
    ) -> None:
        """Stores the parsed file.

        Args:
          path: The file, as messages name it.
          tree: The parsed source.
          folder: Value of `sys.path[0]` when the program runs.
          own_part: Folder or file that counts as the program's, "" for none. None is `folder`.
        """
        self.path, self.tree, self.folder = path, tree, folder
        self.own_part = folder if own_part is None else own_part

    def modules(self) -> Iterator[Module]:
        """Yields this file and the program's modules that it imports, if they can be parsed."""
        yield from _with_imports({self.path: self}, self.folder, self.own_part)

    @property
    def is_installed(self) -> bool:
        """True if the file is part of an installed package, or starts one, as `bin/pytest` does."""
        scripts = os.path.realpath(sysconfig.get_path("scripts"))
        return self.own_part != self.folder or self.folder == scripts


def find(path: str) -> Module:
    """Reads the file of a program.

    Args:
      path: The file.

    Raises:
      ProgramError: The file does not exist, or is not a program of this Python.
    """
    if os.path.isdir(path):
        raise ProgramError(f"{path} is a folder; name the program's file, or use -m.")
    if not os.path.exists(path):
        raise ProgramError(f"there is no file {path}; the working folder is {os.getcwd()}.")
    folder = os.path.dirname(os.path.realpath(path))
    return Module(path, _parse(path), folder, callers.own_part(os.path.realpath(path), folder))


def read(paths: Iterable[str], folder: str) -> list[Module]:
    """Reads several files, and the program's modules that they import.

    Args:
      paths: The files. Those that cannot be parsed are left out.
      folder: Value of `sys.path[0]` when they run.
    """
    modules: dict[str, Module | None] = dict.fromkeys(paths)
    return list(_with_imports(modules, folder, folder))


def _with_imports(
    entries: Mapping[str, Module | None], folder: str, own_part: str
) -> Iterator[Module]:
    """Yields modules and those of the program that they import. None stands for one to parse."""
    search = program_files.Search(folder, own_part)
    modules = {path: module for path, module in entries.items() if module is not None}
    names = {os.path.realpath(path): path for path in entries}

    def imports_of(path: str) -> Iterator[str] | None:
        if path not in modules:
            try:
                modules[path] = Module(path, _parse(path), folder)
            except ProgramError:
                return None
        return program_files.imports_in(modules[path].tree)

    def files_of(path: str, module: str) -> list[str]:
        return [names.get(os.path.realpath(file), file) for file in search.files(path, module)]

    for path in program_files.closure(entries, imports_of, files_of):
        yield modules[path]


def find_module(name: str) -> Module:
    """Reads the module that `python -m NAME` would run, without importing anything.

    Args:
      name: Its dotted name. A package stands for its `__main__`.

    Raises:
      ProgramError: The module does not exist, has no source, or is not a program of this Python.
    """
    folders: list[str] | None = [os.getcwd(), *sys.path]
    spec = None
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        spec = _spec(".".join(parts[:count]), folders)
        if spec is None:
            raise ProgramError(f"there is no module {'.'.join(parts[:count])} (-m {name}).")
        folders = list(spec.submodule_search_locations or [])
    if spec is not None and spec.submodule_search_locations is not None:
        spec = _spec(f"{name}.__main__", folders)
        if spec is None:
            raise ProgramError(f"{name} is a package without a __main__ module (-m {name}).")
        name = f"{name}.__main__"
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise ProgramError(f"the module {name} has no source file.")
    folder = spec.origin
    for _ in name.split("."):
        folder = os.path.dirname(folder)
    own_part = callers.own_part(spec.origin, folder)
    return Module(spec.origin, _parse(spec.origin), folder, own_part)


def _spec(name: str, folders: list[str] | None) -> importlib.machinery.ModuleSpec | None:
    return importlib.machinery.PathFinder.find_spec(name, folders)


def decoded(content: bytes) -> str:
    """Returns the text of a file, in the encoding that its first lines name, or UTF-8.

    Args:
      content: Content of the file.

    Raises:
      SyntaxError: The encoding is unknown.
      UnicodeDecodeError: The text has another encoding.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    text = io.TextIOWrapper(io.BytesIO(content), encoding, newline=None)
    return text.read()


def parsed(text: str, path: str) -> ast.Module:
    """Parses a program.

    Args:
      text: Its source.
      path: Its file, for messages.

    Raises:
      ProgramError: It is Python 2, or not a program at all.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python repeats them when it runs the program.
            tree = ast.parse(text, path)
        _check_prints(tree, path, text)
        return tree
    except SyntaxError as error:
        line = f"{path}:{error.lineno}" if error.lineno else path
        excerpt = f"\n    {error.text.strip()}" if error.text else ""
        if is_python2(error):
            message = f"{line}: this is Python 2.{excerpt}\n{_converter(path)}"
            raise ProgramError(message, "this is Python 2", error.lineno) from error
        reason = f"{type(error).__name__}: {error.msg}"
        raise ProgramError(f"{line}: {reason}.{excerpt}", reason, error.lineno) from error
    except ValueError as error:
        reason = f"it is not Python source: {error}"
        raise ProgramError(f"{path}: {reason}.", reason) from error


def _parse(path: str) -> ast.Module:
    try:
        with open(path, "rb") as file:
            return parsed(decoded(file.read()), path)
    except OSError as error:
        raise ProgramError(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, SyntaxError) as error:
        raise ProgramError(f"{path}: {type(error).__name__}: {error}.") from error


def _check_prints(tree: ast.Module, path: str, text: str) -> None:
    """Raises SyntaxError for Python 2's `print >>file, words`, which Python 3 parses as a shift."""
    if not _PRINT_INTO.search(text):
        return  # Faster: walking the tree of a large program takes longer than parsing it.
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.RShift)
            and isinstance(node.left, ast.Name)
            and node.left.id == "print"
        ):
            line = text.split("\n")[node.lineno - 1]
            raise SyntaxError(
                "Missing parentheses in call to 'print'", (path, node.lineno, 0, line)
            )


_PRINT_INTO = re.compile(r"\bprint\s*>>")
_PYTHON2 = re.compile(
    r"""^\s*print\s+[^=(\s] | ^\s*print\s*$ | \bprint\s*>> | \bprint\s*\(.*\)\s*%
    | ^\s*exec\s+\S | \bexcept\s+[\w.()\s,]+,\s*\w+\s*: | \braise\s+[\w.]+\s*,
    | <> | `[^`]+` | \b0[0-7]+\b | \b(0x[0-9a-f]+|[0-9]+)l\b | \bur['"]
    | \bdef\s+\w+\s*\(.*\([\w\s,]+\).*\)\s*: | \blambda\s*\(""",
    re.IGNORECASE | re.VERBOSE,
)


def is_python2(error: SyntaxError) -> bool:
    """Returns whether a syntax error is due to Python 2.

    Args:
      error: The error, with the line in its `text`.
    """
    if isinstance(error, TabError):
        return True  # Python 2 expanded a tab to eight spaces.
    if error.msg.startswith("Missing parentheses in call to"):
        return True
    return bool(error.text and _PYTHON2.search(error.text))


def _converter(path: str) -> str:
    if sys.version_info < (3, 13):
        command = f"python -m lib2to3 -w {path}"
        note = "It keeps the old file beside the new one, as .bak."
    else:
        command = f"pip install fissix; python -m fissix -w {path}"
        note = "(fissix is 2to3, which left Python in 3.13.)"
    return f"Convert it first, with 2to3: {command}\n{note}"
