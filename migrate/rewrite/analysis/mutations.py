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

# Methods of lists, dictionaries and sets that change them.
METHODS = frozenset(
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
    return next(places(file, name), None)


def places(file: SourceFile, name: ast.Name) -> Iterator[ast.expr]:
    """Yields all places that change the value of a name, as `place` does.

    Args:
      file: The file.
      name: The name, where it is used.
    """
    yield from _places(file, name, set())


def _places(file: SourceFile, name: ast.Name, visited: set[tuple[int, str]]) -> Iterator[ast.expr]:
    scope = bindings.scope(file, name)
    if (id(scope), name.id) in visited:
        return
    visited.add((id(scope), name.id))
    for node in file.nodes:
        if (
            isinstance(node, ast.Name)
            and node.id == name.id
            and bindings.scope(file, node) is scope
        ):
            parent = file.parent(node)
            if _is_change(file, node, parent):
                yield node
            elif isinstance(parent, ast.Assign) and parent.value is node:
                for target in parent.targets:
                    if isinstance(target, ast.Name):
                        yield from _places(file, target, visited)
            elif isinstance(parent, (ast.Call, ast.keyword)):
                yield from _in_function(file, node, parent, visited)


def _is_change(file: SourceFile, node: ast.Name, parent: ast.AST | None) -> bool:
    """Says whether a statement changes a part of a value."""
    child: ast.AST = node
    if isinstance(parent, ast.AugAssign) and parent.target is node:
        return True
    while isinstance(parent, ast.Subscript) and parent.value is child:
        if not isinstance(parent.ctx, ast.Load):
            return True
        child, parent = parent, file.parent(parent)
    is_method = isinstance(parent, ast.Attribute) and parent.attr in METHODS
    call = file.parent(parent) if is_method and parent is not None else None
    return isinstance(call, ast.Call) and call.func is parent


def _in_function(
    file: SourceFile, node: ast.Name, parent: ast.Call | ast.keyword, visited: set[tuple[int, str]]
) -> Iterator[ast.expr]:
    """Yields the places in a function of the file that gets a value as an argument."""
    call = parent if isinstance(parent, ast.Call) else file.parent(parent)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return
    function = input_functions.function_of(file, call.func)
    if function is None or node is call.func:
        return
    names = _parameters_of(function.args, call, node if parent is call else parent)
    for name in names:
        uses = (n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name)
        use = next(uses, None)
        if use is not None:
            yield from _places(file, use, visited)


def _parameters_of(
    parameters: ast.arguments, call: ast.Call, argument: ast.expr | ast.keyword
) -> list[str]:
    """Returns the parameters that may receive an argument of a call."""
    positional = [arg.arg for arg in (*parameters.posonlyargs, *parameters.args)]
    if isinstance(argument, ast.keyword):
        by_name = [arg.arg for arg in (*parameters.args, *parameters.kwonlyargs)]
        rest = [parameters.kwarg.arg] if parameters.kwarg is not None else []
        return [argument.arg] if argument.arg in by_name else rest
    at = call.args.index(argument)
    rest = [parameters.vararg.arg] if parameters.vararg is not None else []
    if any(isinstance(earlier, ast.Starred) for earlier in call.args[:at]):
        return [*positional, *rest]
    return [positional[at]] if at < len(positional) else rest
