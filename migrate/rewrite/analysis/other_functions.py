"""Finds functions and classes that other files of the program define, by the plan of this file.

other = file.plan.decisions.helpers["@model.loss_fn"]
definition(file, "@model.loss_fn", other).function
"""

from __future__ import annotations

import ast
import functools
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.parsed_text import ParsedText
from migrate.rewrite.engine.plan import OtherFunction
from migrate.rewrite.engine.source_file import SourceFile


class Definition(NamedTuple):
    """A function that a call runs, and its place.

    Attributes:
      file: The file that defines it.
      function: The function.
      name: Its name for the file of the call, such as "@model.loss_fn", or "" for a function of
        the same file.
      is_direct: Whether the name comes directly from that file, so that other names of the file
        can be imported in the same way.
    """

    file: SourceFile
    function: ast.FunctionDef
    name: str = ""
    is_direct: bool = False


class ClassDefinition(NamedTuple):
    """A class that a call makes an object of, and its place.

    Attributes:
      file: The file that defines it.
      function: The class.
      name: Its name for the file of the call, such as "@model.Network".
      is_direct: Whether the name comes directly from that file, as for a `Definition`.
    """

    file: SourceFile
    function: ast.ClassDef
    name: str
    is_direct: bool


def definition(file: SourceFile, name: str, other: OtherFunction) -> Definition | None:
    """Returns a function of another file. None if anything else may have its name there.

    Args:
      file: The file that uses the function.
      name: Name of the function for that file, as in `Decisions.factories`.
      other: The function.
    """
    other_file = _file_of(file, other)
    node = _named(other_file, other.function)
    if not isinstance(node, ast.FunctionDef):
        return None
    return Definition(other_file, node, name, other.is_direct)


def class_definition(file: SourceFile, name: str, other: OtherFunction) -> ClassDefinition | None:
    """Returns a class of another file. None if anything else may have its name there.

    Args:
      file: The file that uses the class.
      name: Name of the class for that file.
      other: The class.
    """
    other_file = _file_of(file, other)
    node = _named(other_file, other.function)
    if not isinstance(node, ast.ClassDef):
        return None
    return ClassDefinition(other_file, node, name, other.is_direct)


def _file_of(file: SourceFile, other: OtherFunction) -> SourceFile:
    files = file.computed(_no_files)
    if other.path not in files:
        parsed = _parsed(other.path, other.text)
        files[other.path] = SourceFile(other.text, other.path, other.plan, parsed)
    return files[other.path]


def _named(file: SourceFile, name: str) -> ast.FunctionDef | ast.ClassDef | None:
    """Returns the only definition of a module with a name. None if anything else may bind it."""
    bound = [node for node in bindings.binders(file, name) if file.function(node) is None]
    is_changed = f"@{name}" in file.plan.changed_elsewhere
    node = bound[0] if len(bound) == 1 and not is_changed else None
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.decorator_list:
        return None
    return node


def _no_files(file: SourceFile) -> dict[str, SourceFile]:
    """Returns an empty table of files, which `definition` fills."""
    return {}


@functools.lru_cache(maxsize=32)  # Each step of an expansion is a new file with the same others.
def _parsed(path: str, text: str) -> ParsedText:
    return ParsedText(text, path)
