"""Finds the values that names have at the end of a path.

value = resolved(path, node)
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import mutations
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import Path


def resolved(path: Path, node: ast.expr) -> ast.expr:
    """Returns the value that the last assignment on a path gives a name.

    Args:
      path: Path that binds the name.
      node: The expression. Anything but a name is returned unchanged.
    """
    while isinstance(node, ast.Name):
        places = [
            i for i, statement in enumerate(path.statements) if node.id in slices.bound(statement)
        ]
        binder = path.statements[places[-1]] if places else None
        if not isinstance(binder, ast.Assign) or len(binder.targets) > 1:
            return node
        later = path.statements[places[-1] + 1 :]
        later = [binder, *later]  # In `x = f(x)`, the argument is an earlier x.
        is_unchanged = not any(
            slices.bound(statement) & slices.read(binder.value) for statement in later
        )
        if not isinstance(binder.targets[0], ast.Name) or not is_unchanged:
            return node
        node = binder.value
    return node


def in_module(file: SourceFile, node: ast.expr) -> ast.expr:
    """Returns the value of a module's name that is assigned once and never changed.

    Args:
      file: The file.
      node: The expression. Anything but such a name is returned unchanged.
    """
    if not isinstance(node, ast.Name) or bindings.scope(file, node) is not None:
        return node
    value = bindings.assigned_value(file, node)
    return node if value is None or mutations.place(file, node) is not None else value


def source(path: Path, node: ast.expr) -> ast.expr:
    """Returns the name that a name is a copy of, as in `loss = total_loss`.

    Args:
      path: Path that binds the name.
      node: The expression. Anything but such a name is returned unchanged.
    """
    while isinstance(node, ast.Name):
        binders = [statement for statement in path.statements if node.id in slices.bound(statement)]
        value = binders[-1].value if binders and isinstance(binders[-1], ast.Assign) else None
        if not isinstance(value, ast.Name) or slices.replaces(binders[-1]) != {node.id}:
            break
        later = path.statements[path.statements.index(binders[-1]) :]
        if any(value.id in slices.bound(statement) for statement in later):
            break
        node = value
    return node
