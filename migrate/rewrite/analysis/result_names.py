"""Finds the names that hold results of an Estimator's methods.

names = of(file.nodes, ["predict"])  # {"rows", "row"} of `rows = job.predict(f)`, `for row in rows`
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator


def of(nodes: Iterable[ast.AST], methods: Collection[str]) -> set[str]:
    """Returns the names that are bound to results, or to parts of them.

    Args:
      nodes: Nodes of a file in order.
      methods: Names of the methods that return results.
    """
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign):
            value, targets = node.value, node.targets
        elif isinstance(node, (ast.For, ast.comprehension)):
            value, targets = node.iter, [node.target]
        else:
            continue
        if is_result(value, names, methods):
            parts = (part for target in targets for part in ast.walk(target))
            names.update(part.id for part in parts if isinstance(part, ast.Name))
    return names


def is_result(value: ast.expr, names: Collection[str], methods: Collection[str]) -> bool:
    """Says whether an expression calls such a method, or contains such results as a whole.

    Args:
      value: The expression.
      names: Names that hold results.
      methods: Names of the methods that return results.
    """
    return any(
        (isinstance(part, ast.Call) and getattr(part.func, "attr", "") in methods)
        or (isinstance(part, ast.Name) and part.id in names)
        for part in _whole_parts(value)
    )


def _whole_parts(value: ast.AST) -> Iterator[ast.AST]:
    """Yields the parts of an expression, except subscripts and the parts of subscripts."""
    stack = [value]
    while stack:
        node = stack.pop()
        if not isinstance(node, ast.Subscript):
            yield node
            stack += ast.iter_child_nodes(node)
