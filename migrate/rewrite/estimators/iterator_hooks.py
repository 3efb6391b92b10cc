"""Finds the hooks of a program that initialize the iterators of its input functions.

    of_input, others = split(file, hooks)

Such a hook has no other work than to run the initializer in each new session:

    class IteratorInitializerHook(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.iterator_initializer_func(session)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_CREATED = "after_create_session"
_METHODS = frozenset(("__init__", "begin", "end", _CREATED))


def split(file: SourceFile, hooks: ast.expr | None) -> tuple[list[ast.expr], list[ast.expr] | None]:
    """Returns the hooks that initialize iterators, and the others. The latter may be unknown.

    Args:
      file: The file.
      hooks: The hooks that a method of an Estimator takes.
    """
    if not isinstance(hooks, (ast.List, ast.Tuple)):
        return [], None if hooks is not None else []
    of_input = [one for one in hooks.elts if _initializes(file, one)]
    return of_input, [one for one in hooks.elts if one not in of_input]


def _initializes(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a hook that initializes iterators."""
    made = _class_of(file, node)
    if made is None:
        return False
    methods = {one.name: one for one in made.body if isinstance(one, ast.FunctionDef)}
    if _CREATED not in methods or set(methods) - _METHODS:
        return False
    run = {
        part.attr
        for part in ast.walk(methods[_CREATED])
        if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self"
    }
    return bool(run) and all(_is_initializer(file, name) for name in run)


def _is_initializer(file: SourceFile, attribute: str) -> bool:
    """Says whether a program sets an attribute to the initializer of an iterator."""
    values = [
        one.value
        for one in file.nodes
        if isinstance(one, ast.Assign)
        and isinstance(one.targets[0], ast.Attribute)
        and one.targets[0].attr == attribute
        and not isinstance(one.value, ast.Constant)
    ]
    return bool(values) and all(_names_initializer(file, value) for value in values)


def _names_initializer(file: SourceFile, value: ast.expr) -> bool:
    function = input_functions.function_of(file, value)
    parts = ast.walk(function if function is not None else value)
    return any(isinstance(part, ast.Attribute) and part.attr == "initializer" for part in parts)


def _class_of(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns the class of the file that an expression is an object of."""
    if isinstance(node, ast.Name):
        found = [*_values(file, node)]
        return _class_of(file, found[0]) if len(found) == 1 else None
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    classes = [one for one in file.tree.body if isinstance(one, ast.ClassDef) and one.name == name]
    return classes[0] if len(classes) == 1 else None


def _values(file: SourceFile, name: ast.Name) -> Iterator[ast.expr]:
    """Yields the values of a name, also from a function that returns a pair."""
    for binder in bindings.of_scope(file, name):
        value = bindings.value_of(file, binder)
        if value is not None:
            yield value
            continue
        target = file.parent(binder)
        statement = file.parent(target) if isinstance(target, ast.Tuple) else None
        if not isinstance(target, ast.Tuple) or not isinstance(statement, ast.Assign):
            continue
        call = statement.value
        made = input_functions.function_of(file, call.func) if isinstance(call, ast.Call) else None
        for returned in input_functions.returns(made) if made is not None else ():
            if isinstance(returned.value, ast.Tuple):
                at = [one is binder for one in target.elts].index(True)
                yield from returned.value.elts[at : at + 1]
