"""Finds the lookup tables that a model_fn makes. They become attributes of the Keras model.

    tables = read(file, model_fn, ["params"])
    tables.values, tables.statements

For example, `table = tf.contrib.lookup.index_table_from_file("words.txt")` moves to `__init__`, and
the methods of the model use `self.table`. A table that a `tf.function` made would be empty.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import checks, slices

NAMES = ("tf.contrib.lookup.", "tf.lookup.")


class Tables(NamedTuple):
    """The lookup tables of a model_fn.

    Attributes:
      values: Calls that make the tables, by their names.
      statements: Statements that assign the tables.
      settings: Values of the other variables on which the tables depend, by their names.
    """

    values: dict[str, ast.Call]
    statements: list[ast.stmt]
    settings: dict[str, ast.expr]


NONE = Tables({}, [], {})


def calls(file: SourceFile, function: ast.FunctionDef) -> list[ast.Call]:
    """Returns the calls that make tables in a function, in their order.

    Args:
      file: The file.
      function: The function.
    """
    if not any(match.name.startswith(NAMES) for match in checks.names_in(file, function)):
        return []
    nodes = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and (file.name_of(node.func) or "").startswith(NAMES)
    ]
    # An argument of such a call initializes a table, and is none.
    inner_ids = {id(part) for call in nodes for part in ast.walk(call) if part is not call}
    return sorted((call for call in nodes if id(call) not in inner_ids), key=file.span)


def read(file: SourceFile, function: ast.FunctionDef, static: Collection[str]) -> Tables:
    """Returns the tables that depend on settings alone.

    Args:
      file: The file.
      function: The model_fn.
      static: Names that are known when the model is made.
    """
    tables = Tables({}, [], {})
    table_calls = calls(file, function)
    local = slices.bound_inside(function) | {"features", "labels", "mode"}
    for statement in function.body if table_calls else ():
        # The values of these variables may be computed in __init__, too.
        value = statement.value if isinstance(statement, ast.Assign) else None
        name = _only_target(function, statement, value) if value is not None else ""
        if value is not None and name and not _unknown_names(value, local, static, tables):
            tables.settings[name] = value
    for call in table_calls:
        statement = file.statement(call)
        name = _only_target(function, statement, call)
        tables.settings.pop(name, None)
        is_known = bool(name) and not _unknown_names(call, local, static, tables)
        if is_known and not _is_repeated(file, function, statement):
            tables.values[name] = call
            tables.statements.append(statement)
    return tables


def _unknown_names(
    node: ast.expr, local: Collection[str], static: Collection[str], tables: Tables
) -> set[str]:
    return (slices.read(node) & {*local}) - {*static, *tables.values, *tables.settings}


def _is_repeated(file: SourceFile, function: ast.FunctionDef, statement: ast.stmt) -> bool:
    """Says whether a statement may run several times, or in another function."""
    parent = file.parent(statement)
    while isinstance(parent, (ast.If, ast.With)):
        parent = file.parent(parent)
    return parent is not function


def _only_target(function: ast.FunctionDef, statement: ast.stmt, node: ast.expr) -> str:
    """Returns the name to which a statement assigns a value, if no other statement binds it."""
    if not isinstance(statement, ast.Assign) or statement.value is not node:
        return ""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, ast.Name):
        return ""
    stores = [
        part
        for part in ast.walk(function)
        if isinstance(part, ast.Name)
        and part.id == target.id
        and not isinstance(part.ctx, ast.Load)
    ]
    return target.id if len(stores) == 1 else ""
