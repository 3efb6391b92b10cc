"""Tells calls of a model's methods from other calls with the same name."""

from __future__ import annotations

import ast
from typing import TypeGuard

_OPTIMIZERS = ("adadelta", "adagrad", "adam", "adamax", "adamw", "ftrl", "nadam", "rmsprop", "sgd")


def compiles_model(node: ast.AST) -> TypeGuard[ast.Call]:
    """Says whether a node is a call of `compile` of a model.

    Others are patterns and programs, as in re.compile("a").

    Args:
      node: A node.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr != "compile":
        return False
    if {keyword.arg for keyword in node.keywords} & {"loss", "metrics", "optimizer"}:
        return True
    first = node.args[0] if node.args else None
    if isinstance(first, ast.Constant):
        return str(first.value).lower() in _OPTIMIZERS
    return first is not None and ast.unparse(node.func).partition(".")[0] not in ("re", "regex")
