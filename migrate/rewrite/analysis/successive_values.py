"""Finds the value of a variable that holds several values, one after the other.

    statement = successive_values.assignment(file, name)

For example, `job = LinearClassifier(...)`, `job.train(f)`, `job = Estimator(...)`, `job.train(f)`
are the statements of one function. Each `job` then has the value of the assignment above it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_BLOCKS = (ast.FunctionDef, ast.Module)


def assignment(file: SourceFile, name: ast.Name) -> ast.Assign | None:
    """Returns the assignment whose value a variable certainly holds.

    Args:
      file: The file.
      name: The variable, where it is used or bound.

    Returns:
      The assignment. None if the variable has only one, or if code may skip or repeat one of them.
    """
    assignments = _assignments(file, name)
    if len(assignments) < 2:
        return None
    block = _block(file, assignments[0])
    for use in bindings.uses(file, name):
        if file.function(use) is not file.function(assignments[0]):
            return None
        if _outer(file, use, block) is None:
            return None
        if _last_before(file, assignments, use) is None:
            return None
    targets = [statement.targets[0] for statement in assignments]
    if name in targets:
        return assignments[targets.index(name)]
    return _last_before(file, assignments, name)


def _assignments(file: SourceFile, name: ast.Name) -> list[ast.Assign]:
    """Returns the assignments to a variable. Empty if they do not all run in their order."""
    assignments: list[ast.Assign] = []
    for binder in bindings.of_scope(file, name):
        statement = file.parent(binder)
        if not isinstance(statement, ast.Assign) or statement.targets != [binder]:
            return []
        assignments.append(statement)
    assignments.sort(key=file.span)
    blocks = [_block(file, statement) for statement in assignments]
    return assignments if blocks and all(block and block == blocks[0] for block in blocks) else []


def _block(file: SourceFile, statement: ast.stmt) -> Sequence[ast.stmt]:
    """Returns the body of a function or module that runs a statement once. Empty if none does."""
    parent = file.parent(statement)
    while isinstance(parent, ast.With) and all(_is_scope(item) for item in parent.items):
        parent = file.parent(parent)
    if isinstance(parent, ast.If) and file.parent(parent) is file.tree and _is_main(parent):
        return parent.body
    return parent.body if isinstance(parent, _BLOCKS) else ()


def _is_scope(item: ast.withitem) -> bool:
    """Says whether a context is the scope of a strategy, which lets all exceptions pass."""
    call = item.context_expr
    function = call.func if isinstance(call, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr == "scope"


def _is_main(statement: ast.If) -> bool:
    return not statement.orelse and "__name__" in ast.unparse(statement.test)


def _outer(file: SourceFile, node: ast.AST, block: Sequence[ast.stmt]) -> ast.AST | None:
    """Returns the statement of a block that contains a node, or None."""
    outer: ast.AST | None = node
    while outer is not None and outer not in block:
        outer = file.parent(outer)
    return outer


def _last_before(
    file: SourceFile, assignments: Sequence[ast.Assign], name: ast.Name
) -> ast.Assign | None:
    """Returns the last assignment above a use of the variable."""
    start, _ = file.span(name)
    before = [statement for statement in assignments if file.span(statement)[1] <= start]
    return before[-1] if before else None
