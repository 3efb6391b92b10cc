"""Finds the hooks of a program that initialize the iterators of its input functions.

    of_input, others = split(file, hooks)

Such a hook only runs the initializer in each new session:

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
    """Returns the hooks that initialize iterators, and the others, or None if they are unknown.

    Args:
      file: The file.
      hooks: The hooks that a method of an Estimator takes.
    """
    if not isinstance(hooks, (ast.List, ast.Tuple)):
        return [], None if hooks is not None else []
    of_input = [hook for hook in hooks.elts if _initializes(file, hook)]
    return of_input, [hook for hook in hooks.elts if hook not in of_input]


def _initializes(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a hook that initializes iterators."""
    hook_class = _class_of(file, node)
    if hook_class is None:
        return False
    methods = {
        method.name: method for method in hook_class.body if isinstance(method, ast.FunctionDef)
    }
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
        node.value
        for node in file.nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Attribute)
        and node.targets[0].attr == attribute
        and not isinstance(node.value, ast.Constant)
    ]
    return bool(values) and all(_names_initializer(file, value) for value in values)


def _names_initializer(file: SourceFile, value: ast.expr) -> bool:
    function = input_functions.function_of(file, value)
    parts = ast.walk(function if function is not None else value)
    return any(isinstance(part, ast.Attribute) and part.attr == "initializer" for part in parts)


def _class_of(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns the class in the file that an expression is an instance of."""
    if isinstance(node, ast.Name):
        values = [*_values(file, node)]
        return _class_of(file, values[0]) if len(values) == 1 else None
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    classes = [
        statement
        for statement in file.tree.body
        if isinstance(statement, ast.ClassDef) and statement.name == name
    ]
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
        function = (
            input_functions.function_of(file, call.func) if isinstance(call, ast.Call) else None
        )
        for return_statement in input_functions.returns(function) if function is not None else ():
            if isinstance(return_statement.value, ast.Tuple):
                at = [element is binder for element in target.elts].index(True)
                yield from return_statement.value.elts[at : at + 1]
