"""Finds functions that other files of the program define, by the plan of this file.

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


def definition(file: SourceFile, name: str, other: OtherFunction) -> Definition | None:
    """Returns a function of another file. None if anything else may have its name there.

    Args:
      file: The file that uses the function.
      name: Name of the function for that file, as in `Decisions.factories`.
      other: The function.
    """
    files = file.computed(_no_files)
    if other.path not in files:
        parsed = _parsed(other.path, other.text)
        files[other.path] = SourceFile(other.text, other.path, other.plan, parsed)
    other_file = files[other.path]
    function = _named(other_file, other.function)
    return Definition(other_file, function, name, other.is_direct) if function is not None else None


def _named(file: SourceFile, name: str) -> ast.FunctionDef | None:
    """Returns the only function of a module with a name. None if anything else may bind it."""
    bound = [node for node in bindings.binders(file, name) if file.function(node) is None]
    is_changed = f"@{name}" in file.plan.changed_elsewhere
    if len(bound) != 1 or not isinstance(bound[0], ast.FunctionDef) or is_changed:
        return None
    return None if bound[0].decorator_list else bound[0]


def _no_files(file: SourceFile) -> dict[str, SourceFile]:
    """Returns an empty table of files, which `definition` fills."""
    return {}


@functools.lru_cache(maxsize=32)  # Each step of an expansion is a new file with the same others.
def _parsed(path: str, text: str) -> ParsedText:
    return ParsedText(text, path)
