"""Tells whether a program makes slices, from which it may make an index.

>>> import ast
>>> makes_slices(ast.parse("array[[slice(a, b) for a, b in bounds]]"))
True
>>> makes_slices(ast.parse("tf.slice(x, [0], [1])[2:3]"))
False
"""

from __future__ import annotations

import ast


def makes_slices(tree: ast.AST) -> bool:
    """Returns whether a file calls Python's `slice`.

    Args:
      tree: The parsed file.
    """
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "slice"
        for node in ast.walk(tree)
    )
