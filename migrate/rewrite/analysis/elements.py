r"""Finds the expression of one element of a tuple, list or dictionary.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("steps = {'train': 100, 'eval': 10}\nrun(steps['eval'])\n")
>>> file.segment(of_subscript(file, file.tree.body[1].value.args[0]))
'10'
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_Display = ast.Tuple | ast.List | ast.Dict


def of_subscript(file: SourceFile, node: ast.Subscript) -> ast.expr | None:
    """Returns the element that a constant index or key selects. None if it is not known.

    Args:
      file: The file.
      node: The subscript, such as `FUNCTIONS["train"]` or `make_inputs()[0]`.
    """
    display = _display(file, node.value)
    try:
        key = ast.literal_eval(node.slice)
    except ValueError:
        return None
    return _element(display, key) if display is not None else None


def of_target(file: SourceFile, target: ast.Name) -> ast.expr | None:
    """Returns the element that a name gets from a tuple. None if it is not known.

    For example, `a` gets `x` from `a, b = x, y`, and from a function that returns `x, y`.

    Args:
      file: The file.
      target: The name, where it is bound.
    """
    targets = file.parent(target)
    statement = file.parent(targets) if isinstance(targets, (ast.Tuple, ast.List)) else None
    if not isinstance(statement, ast.Assign) or statement.targets != [targets]:
        return None
    names = targets.elts if isinstance(targets, (ast.Tuple, ast.List)) else []
    display = _display(file, statement.value)
    if isinstance(display, ast.Dict) or display is None or len(display.elts) != len(names):
        return None
    if any(isinstance(name, ast.Starred) for name in names):
        return None
    return _element(display, names.index(target))


def _display(file: SourceFile, node: ast.expr) -> _Display | None:
    """Returns the tuple, list or dictionary that an expression evaluates to."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        functions = bindings.of_scope(file, node.func)
        returns = [statement for f in functions for statement in _returns(file, f)]
        value = returns[0].value if len(functions) == len(returns) == 1 else None
        return value if isinstance(value, _Display) else None
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        uses = bindings.uses_of_value(file, value) if value is not None else None
        is_constant = uses is not None and all(_reads_element(file, use) for use in uses)
        return value if isinstance(value, _Display) and is_constant else None
    return node if isinstance(node, _Display) else None


def _returns(file: SourceFile, function: ast.AST) -> Iterator[ast.Return]:
    """Yields the return statements of a function, without those of nested functions."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and file.function(node) is function:
            yield node


def _reads_element(file: SourceFile, name: ast.Name) -> bool:
    """Says whether a name is only read by index, so that nothing can change its value."""
    parent = file.parent(name)
    if not isinstance(parent, ast.Subscript) or parent.value is not name:
        return False
    return isinstance(parent.ctx, ast.Load)


def _element(display: _Display, key: object) -> ast.expr | None:
    if isinstance(display, ast.Dict):
        keys = [node.value if isinstance(node, ast.Constant) else None for node in display.keys]
        return display.values[keys.index(key)] if None not in keys and key in keys else None
    is_starred = any(isinstance(element, ast.Starred) for element in display.elts)
    if is_starred or not isinstance(key, int) or not -len(display.elts) <= key < len(display.elts):
        return None
    return display.elts[key]
