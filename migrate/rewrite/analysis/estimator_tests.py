r"""Finds code that only tests or prints an Estimator. It works with a Keras model as well.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("if job is not None:\n    print('Class: {}'.format(type(job)))\n")
>>> test, shown = [node for node in file.nodes if getattr(node, 'id', '') == 'job']
>>> is_test(file, test), is_shown(file, test), is_test(file, shown), is_shown(file, shown)
(True, False, False, True)
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine.source_file import SourceFile

_TEXTS = ("format", "id", "repr", "str", "type")
_PRINTS = ("critical", "debug", "error", "fatal", "info", "log", "print", "warn", "warning")


def is_test(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is compared with None, or is the condition of a statement.

    Args:
      file: The file.
      node: The expression.
    """
    parent = file.parent(node)
    if isinstance(parent, ast.Compare):
        operators = (ast.Eq, ast.Is, ast.IsNot, ast.NotEq)  # A model is equal only to itself.
        return all(isinstance(op, operators) for op in parent.ops) and all(
            value is node or (isinstance(value, ast.Constant) and value.value is None)
            for value in (parent.left, *parent.comparators)
        )
    if isinstance(parent, (ast.Assert, ast.If, ast.IfExp, ast.While)):
        return parent.test is node
    is_not = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    if isinstance(parent, ast.BoolOp):
        return is_test(file, parent)  # The result may be the Estimator, so it must be a test too.
    return is_not


def is_shown(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is only printed, or its class is.

    Args:
      file: The file.
      node: The expression.
    """
    child: ast.AST = node
    parent = file.parent(node)
    while True:
        if isinstance(parent, ast.Call) and child is not parent.func:
            name = parent.func.id if isinstance(parent.func, ast.Name) else ""
            name = parent.func.attr if isinstance(parent.func, ast.Attribute) else name
            if name in _PRINTS:
                return isinstance(file.parent(parent), ast.Expr)
            if name not in _TEXTS:
                return False
        elif isinstance(parent, ast.BinOp):
            is_filled = isinstance(parent.op, ast.Mod) and parent.right is child
            if not is_filled and not isinstance(parent.op, ast.Add):
                return False
        elif not isinstance(parent, (ast.FormattedValue, ast.JoinedStr, ast.Tuple, ast.keyword)):
            return False
        child, parent = parent, file.parent(parent)
