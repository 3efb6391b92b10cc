"""Inserts a new function above its call, and removes statements that only the old code needed.

above, edits = placed(reader, call, "build_model", ["...", "return model"])
edits += without(reader, reader.made, call)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.analysis.dataflow import Reader, UnknownValue
from migrate.rewrite.engine import wrapping
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile


def placed(
    reader: Reader, node: ast.expr, name: str, lines: Sequence[str]
) -> tuple[str, list[Edit]]:
    """Inserts a new function.

    Args:
      reader: Reader of the texts in it. Its `local` says whether they use variables of a function.
      node: Expression that will call the function.
      name: Name of the function.
      lines: Its statements, one per line.

    Returns:
      The text to put above the statement of the node, and edits elsewhere. If the new function uses
      variables of the node's function, the text defines it, and there are no edits. Lines after the
      first are indented like the statement. If not, the text is "", and an edit inserts the
      function at the module's level.
    """
    file = reader.file
    whole = [f"def {name}():"]
    for line in lines:
        whole += wrapping.wrapped(f"    {line}")
    statement = file.statement(node)
    if reader.local:
        indent = file.indent(statement.lineno)
        return file.newline.join([whole[0], *(indent + line for line in whole[1:])]), []
    at = file.line_start(_first_line(file, statement))
    before = file.text[:at].replace("\r\n", "\n")
    # Three line ends leave two empty lines above the function.
    space = file.newline * (3 - len(before[-3:]) + len(before[-3:].rstrip("\n"))) if at else ""
    return "", [Edit(at, at, space + file.newline.join([*whole, "", "", ""]))]


def check_names(reader: Reader, lines: Sequence[str]) -> None:
    """Checks that the variables of a new function hide no names that its texts use.

    For example, a text may read a global `inputs`, which the new function would assign.

    Args:
      reader: Reader of the texts.
      lines: Statements of the function.

    Raises:
      UnknownValue: A variable hides such a name.
    """
    variables = {line.partition(" = ")[0].strip() for line in lines if " = " in line} | {"index"}
    hidden = sorted(reader.named & variables)
    if hidden:
        raise UnknownValue(f"the new code would hide the name {hidden[0]}: rename it first")


def _first_line(file: SourceFile, statement: ast.stmt) -> int:
    """Returns the first line of the module-level statement around a statement, with comments."""
    outer = statement
    while (parent := file.parent(outer)) is not None and parent is not file.tree:
        outer = file.statement(parent)
    decorators = getattr(outer, "decorator_list", ())
    line = min([outer.lineno, *(decorator.lineno for decorator in decorators)])
    while line > 1 and file.text[file.line_start(line - 1) :].startswith("#"):
        line -= 1
    return line


def without(reader: Reader, statements: Sequence[ast.stmt], call: ast.expr) -> list[Edit]:
    """Returns the edits that remove statements which became unused.

    Args:
      reader: Reader of the new texts.
      statements: Statements that may be removed.
      call: Call that is removed too.
    """
    file = reader.file
    removable = [
        statement
        for statement in dict.fromkeys(statements)
        if estimator_uses.is_alone(file, statement)
    ]
    if file.plan.is_shared:
        removable = [statement for statement in removable if file.function(statement) is not None]
    while True:
        # A statement that stays keeps the statements that it reads. This repeats until no other
        # statement has to stay.
        spans = [file.span(node) for node in (*removable, call)]
        remaining = [
            statement for statement in removable if not _is_needed(reader, statement, spans)
        ]
        remaining = [
            statement for statement in remaining if not _empties(file, statement, remaining)
        ]
        if len(remaining) == len(removable):
            return [
                _removal(file, statement)
                for statement in removable
                if not _is_in_one_of(file, statement, removable)
            ]
        removable = remaining


def _is_needed(reader: Reader, statement: ast.stmt, spans: list[tuple[int, int]]) -> bool:
    """Says whether other code uses a name that a statement binds or fills."""
    if isinstance(statement, ast.FunctionDef):
        names = {statement.name}
    else:
        names = {
            part.id
            for part in ast.walk(statement)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        names |= {
            part.value.id
            for part in ast.walk(statement)
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
            if part.attr in ("append", "extend")
        }
    if names & reader.named:
        return True
    file = reader.file
    scope = file.function(statement)
    for node in file.nodes:
        if isinstance(node, ast.Name) and node.id in names and _sees(file, node, scope):
            start, end = file.span(node)
            if not any(first <= start and end <= last for first, last in spans):
                return True
    return False


def _sees(file: SourceFile, node: ast.AST, scope: ast.AST | None) -> bool:
    """Says whether a node is in a function or nested in it. Each node is in the module (None)."""
    function = file.function(node)
    while function is not None and function is not scope:
        function = file.function(function)
    return function is scope


def _empties(file: SourceFile, statement: ast.stmt, removals: Sequence[ast.stmt]) -> bool:
    """Says whether a removal would leave a block empty."""
    parent = file.parent(statement)
    body = getattr(parent, "body", ())
    return (
        statement in body
        and all(sibling in removals for sibling in body)
        and parent not in removals
    )


def _is_in_one_of(file: SourceFile, node: ast.stmt, statements: Sequence[ast.stmt]) -> bool:
    start, end = file.span(node)
    spans = [file.span(statement) for statement in statements if statement is not node]
    return any(first <= start and end <= last for first, last in spans)


def _removal(file: SourceFile, statement: ast.stmt) -> Edit:
    """Returns the edit that removes a statement. A function also loses the empty lines after it."""
    edit = bridged_configs.removal(file, statement)
    if not isinstance(statement, ast.FunctionDef):
        return edit
    rest = file.text[edit.end :]
    return edit._replace(end=edit.end + len(rest) - len(rest.lstrip("\r\n")))
