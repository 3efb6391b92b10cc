"""Returns predictions before the first use of the labels.

An Estimator of contrib.learn computed the loss also in predictions, with labels that were never
fed. One of tf.estimator has no labels there.

    place = guard_place(file, function)
    place.moved, place.later
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine.source_file import SourceFile

# Functions that read what other statements added to a graph.
_READS_GRAPH = re.compile(r"\bget_(?!variable\b)")
# Functions that may make variables, whose names depend on the order.
_MAKES_VARIABLES = re.compile(r"\blayers\.|[vV]ariable|scope|keras|[cC]ell\b|rnn")


class NoGuard(Exception):
    """Raised if predictions cannot be returned before the labels are used. It says why."""


class Place(NamedTuple):
    """The statements around the place where predictions can be returned.

    Attributes:
      moved: Statements that the predictions need, and that follow a use of the labels.
      later: Statements between the place and the last one, in their order.
    """

    moved: tuple[ast.stmt, ...]
    later: tuple[ast.stmt, ...]


def guard_place(function: ast.FunctionDef, predictions: ast.expr, mode: str) -> Place | None:
    """Finds the place where a model_fn can return its predictions.

    Args:
      function: The model_fn.
      predictions: The predictions in its last statement.
      mode: Name of its parameter for the mode.

    Returns:
      The place. None if the function returns at other places, or uses its labels only in branches
      of the mode.

    Raises:
      NoGuard: There is no such place.
    """
    if [*input_functions.returns(function)] != [function.body[-1]]:
        return None
    body = function.body[:-1]
    tainted = _tainted(body, function)
    if all(isinstance(part, ast.If) and mode in _reads(part.test) for part in tainted):
        return None
    rest = body[body.index(tainted[0]) :]
    needed = _reads(predictions)
    slice_of_predictions = []
    for statement in reversed(rest):
        if _writes(statement, function) & needed:
            if statement in tainted:
                raise NoGuard("its predictions need the labels")
            needed |= _reads(statement)
            slice_of_predictions.append(statement)
    if _reads(predictions) & _label_names(tainted, function):
        raise NoGuard("its predictions need the labels")
    moved = tuple(reversed(slice_of_predictions))
    later = tuple(statement for statement in rest if statement not in moved)
    for statement in moved:
        _check_move(statement, rest[: rest.index(statement)], moved, function)
    return Place(moved, later)


def _tainted(body: list[ast.stmt], function: ast.FunctionDef) -> list[ast.stmt]:
    """Returns the statements that use the labels, or a value that depends on them."""
    names, tainted = {function.args.args[1].arg}, []
    for statement in body:
        if _reads(statement) & names:
            tainted.append(statement)
            names |= _writes(statement, function)
    return tainted


def _label_names(tainted: list[ast.stmt], function: ast.FunctionDef) -> set[str]:
    names = {function.args.args[1].arg}
    return names.union(*(_writes(statement, function) for statement in tainted))


def _check_move(
    statement: ast.stmt,
    earlier: list[ast.stmt],
    moved: tuple[ast.stmt, ...],
    function: ast.FunctionDef,
) -> None:
    """Raises NoGuard if a statement cannot run before those that it follows."""
    writes, reads = _writes(statement, function), _reads(statement)
    place = f"line {statement.lineno} cannot move before the first use of the labels"
    if _READS_GRAPH.search(ast.unparse(statement)):
        raise NoGuard(place)
    for other in earlier:
        if other not in moved:
            written = _writes(other, function)
            is_dependent = writes & (_reads(other) | written) or reads & written
            if is_dependent or _may_make_variables(other, function):
                raise NoGuard(place)


def _may_make_variables(statement: ast.stmt, function: ast.FunctionDef) -> bool:
    local = _local(function)
    calls = [part for part in ast.walk(statement) if isinstance(part, ast.Call)]
    is_known = all(_is_of_module(call, local) for call in calls)
    return not is_known or _MAKES_VARIABLES.search(ast.unparse(statement)) is not None


def _reads(node: ast.AST) -> set[str]:
    return {part.id for part in _names(node) if isinstance(part.ctx, ast.Load)}


def _writes(node: ast.AST, function: ast.FunctionDef) -> set[str]:
    """Returns the variables of the function that a statement binds or may change."""
    written = {part.id for part in _names(node) if not isinstance(part.ctx, ast.Load)}
    local = _local(function)
    for part in ast.walk(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
            written |= _reads(part.value) & local
        elif isinstance(part, ast.Expr) and not _is_of_module(part.value, local):
            # For example, `predictions.update(loss=loss)`, or a function that changes its argument.
            written |= _reads(part.value) & local
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            written.add(part.name)
    return written


def _local(function: ast.FunctionDef) -> set[str]:
    """Returns the parameters and variables of a function."""
    stored = {part.id for part in _names(function) if not isinstance(part.ctx, ast.Load)}
    return stored | {part.arg for part in ast.walk(function) if isinstance(part, ast.arg)}


def _is_of_module(node: ast.expr, local: set[str]) -> bool:
    """Says whether an expression calls a function of a module, as `tf.summary.scalar`."""
    root = node.func if isinstance(node, ast.Call) else node
    if not isinstance(root, ast.Attribute):
        return False
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id not in local


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Name))


def chunk(file: SourceFile, statement: ast.stmt, before: ast.stmt | None) -> tuple[int, int]:
    """Returns the lines of a statement as offsets, with the comments before it.

    Args:
      file: The file.
      statement: The statement, which shares no line with another one.
      before: The statement before it, or None.

    Raises:
      NoGuard: It shares a line with another statement.
    """
    first, last = statement.lineno, before.end_lineno or 0 if before is not None else 0
    if last >= first:
        raise NoGuard(f"line {first} has several statements")
    while first - 1 > last and _is_comment(file, first - 1):
        first -= 1
    return file.line_start(first), file.line_end(statement.end_lineno or statement.lineno)


def _is_comment(file: SourceFile, line: int) -> bool:
    """Says whether a line holds a comment only, or nothing."""
    return file.text[file.line_start(line) : file.line_end(line)].strip()[:1] in ("", "#")
