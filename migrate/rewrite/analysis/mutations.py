r"""Finds code that changes the list or dictionary of a name in place.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("names = ['a']\nnames.append('b')\nuse(names)\n")
>>> place(file, file.tree.body[2].value.args[0]).lineno
2
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_METHODS = frozenset(
    (
        *("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove"),
        *("reverse", "setdefault", "sort", "update", "__setitem__", "__delitem__"),
    )
)


def place(file: SourceFile, name: ast.Name) -> ast.expr | None:
    """Returns a place that changes the value of a name. None if there is no such place.

    Functions of the file that get the value, and other names for it, count too.

    Args:
      file: The file.
      name: The name, where it is used.
    """
    return next(_places(file, name, set()), None)


def _places(file: SourceFile, name: ast.Name, seen: set[tuple[int, str]]) -> Iterator[ast.expr]:
    own = bindings.scope(file, name)
    if (id(own), name.id) in seen:
        return
    seen.add((id(own), name.id))
    for node in file.nodes:
        if isinstance(node, ast.Name) and node.id == name.id and bindings.scope(file, node) is own:
            parent = file.parent(node)
            if _is_change(file, node, parent):
                yield node
            elif isinstance(parent, ast.Assign) and parent.value is node:
                for target in parent.targets:
                    if isinstance(target, ast.Name):
                        yield from _places(file, target, seen)
            elif isinstance(parent, (ast.Call, ast.keyword)):
                yield from _in_function(file, node, parent, seen)


def _is_change(file: SourceFile, node: ast.Name, parent: ast.AST | None) -> bool:
    """Says whether a statement changes a part of a value."""
    child: ast.AST = node
    if isinstance(parent, ast.AugAssign) and parent.target is node:
        return True
    while isinstance(parent, ast.Subscript) and parent.value is child:
        if not isinstance(parent.ctx, ast.Load):
            return True
        child, parent = parent, file.parent(parent)
    is_method = isinstance(parent, ast.Attribute) and parent.attr in _METHODS
    called = file.parent(parent) if is_method and parent is not None else None
    return isinstance(called, ast.Call) and called.func is parent


def _in_function(
    file: SourceFile, node: ast.Name, parent: ast.Call | ast.keyword, seen: set[tuple[int, str]]
) -> Iterator[ast.expr]:
    """Yields the places in a function of the file that gets a value as an argument."""
    call = parent if isinstance(parent, ast.Call) else file.parent(parent)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return
    function = input_functions.function_of(file, call.func)
    if not isinstance(function, ast.FunctionDef):
        return
    names = [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]
    if isinstance(parent, ast.keyword):
        name = parent.arg
    else:
        at = call.args.index(node) if node in call.args else len(names)
        name = names[at] if at < len(function.args.args) else None
    for one in ast.walk(function):
        if isinstance(one, ast.Name) and one.id == name and name in names:
            yield from _places(file, one, seen)
            return
