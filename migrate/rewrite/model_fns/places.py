"""Finds the function that an Estimator trains, and the place for the class that it becomes.

place = of(file, model_fn)
if isinstance(place, Place):
    print(place.made("Model", "params"))

A function of the module becomes a class there. A function in another function becomes a class in
that one. A method becomes a class before its own class, and gets the object as an argument.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import slices

_STATE = "a variable of its function that changes"


class Place(NamedTuple):
    """A model_fn, and the way to make the class that it becomes.

    Attributes:
      function: The function.
      maker: Text of the call, or the name, that gives the class. "" for the name of the class.
      owner: Text of the object whose method it is, or "" for a function.
      of_class: The class of a method, or None.
      returned: The name in the `return` of the function around it, or None.
      target: The name that the result of that function is assigned to, or None.
    """

    function: ast.FunctionDef
    maker: str = ""
    owner: str = ""
    of_class: ast.ClassDef | None = None
    returned: ast.Name | None = None
    target: ast.Name | None = None

    def made(self, name: str, params: str) -> str:
        """Returns the expression that makes the model.

        Args:
          name: Name of the class.
          params: Text of the params, or "" if the class takes none.
        """
        given = ", ".join(one for one in (self.owner, params) if one)
        return f"{self.maker or name}({given})"


def of(file: SourceFile, node: ast.expr) -> Place | str:
    """Returns the model_fn that an expression is, or the reason why it is not understood.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    if isinstance(node, ast.Attribute):
        return _method(file, node)
    function = input_functions.function_of(file, node)
    if not isinstance(function, ast.FunctionDef):
        return "its model_fn is not a function of this file"
    if file.parent(function) is file.tree:
        return Place(function)
    return _inner(file, node, function)


def _inner(file: SourceFile, node: ast.expr, function: ast.FunctionDef) -> Place | str:
    """Returns a function that is defined in another function."""
    around = file.parent(function)
    if not isinstance(around, ast.FunctionDef):
        return "its model_fn is not defined at module level"
    reads = [
        one
        for one in ast.walk(around)
        if isinstance(one, ast.Name) and one.id == function.name and isinstance(one.ctx, ast.Load)
    ]
    if len(reads) != 1:
        return f"its model_fn {function.name} has other uses"
    state = _state(around, function)
    if state:
        return f"its model_fn reads {state}, {_STATE}"
    if reads[0] is node:
        return Place(function)
    if not isinstance(file.parent(reads[0]), ast.Return) or around.decorator_list:
        return f"its model_fn {function.name} has other uses"
    if file.plan.is_shared:
        return "other files may use the function that returns its model_fn"
    if file.parent(around) is not file.tree or _uses(file, around.name) != 1:
        return f"{around.name}() has other uses than to make its model_fn"
    if not isinstance(node, ast.Name):
        return Place(function, _one_line(file, node), returned=reads[0])
    binders = bindings.of_scope(file, node)
    if len(binders) != 1 or len(bindings.uses(file, node)) != 1:
        return f"{node.id} has other uses than to be its model_fn"
    target = binders[0]
    if not isinstance(target, ast.Name):
        return f"{node.id} has other uses than to be its model_fn"
    name = file.new_name("model_class", ("the class of", target), bindings.scope(file, node))
    return Place(function, name, returned=reads[0], target=target)


def _one_line(file: SourceFile, node: ast.expr) -> str:
    text = file.segment(node)
    return text if "\n" not in text else ast.unparse(node)


def _uses(file: SourceFile, name: str) -> int:
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in file.nodes
    )


def _state(around: ast.FunctionDef, function: ast.FunctionDef) -> str:
    """Returns a variable of the outer function that may change after the class is made, or ""."""
    for node in ast.walk(around):
        if isinstance(node, (ast.Nonlocal, ast.Yield, ast.YieldFrom)):
            return node.names[0] if isinstance(node, ast.Nonlocal) else around.name
    parameters = {one.arg for one in _parameters(around)}
    own = slices.bound_inside(function) | {one.arg for one in _parameters(function)}
    read = set().union(*map(slices.read, function.body)) - own
    bound = [name for one in around.body if one is not function for name in slices.bound(one)]
    for name in sorted(read):
        if bound.count(name) + (name in parameters) > 1:
            return name
        later = [one for one in around.body if one.lineno > function.lineno]
        if any(name in slices.bound(one) for one in later if not isinstance(one, ast.FunctionDef)):
            return name
    return ""


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    more = [one for one in (given.vararg, given.kwarg) if one is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *more]


def _method(file: SourceFile, node: ast.Attribute) -> Place | str:
    """Returns the method that `self.model_fn` or `model.model_fn` is."""
    unknown = "its model_fn is a method of an unknown class"
    of_class = _class_of(file, node)
    if of_class is None:
        return unknown
    if of_class.decorator_list or of_class.keywords or _has_bases(of_class):
        return f"the class {of_class.name} of its model_fn is derived from another one"
    derived = any(
        isinstance(base, ast.Name) and base.id == of_class.name
        for one in file.nodes
        for base in (one.bases if isinstance(one, ast.ClassDef) else ())
    )
    if derived or of_class.name in file.plan.changed_elsewhere:
        return f"another class is derived from {of_class.name}, and may replace its methods"
    found = [one for one in of_class.body if getattr(one, "name", "") == node.attr]
    if len(found) != 1 or not isinstance(found[0], ast.FunctionDef):
        return unknown
    function = found[0]
    if function.decorator_list or not function.args.args:
        return "its model_fn has a decorator, or no parameter `self`"
    if file.parent(of_class) is not file.tree:
        return f"the class {of_class.name} of its model_fn is not defined at module level"
    return Place(function, owner=_one_line(file, node.value), of_class=of_class)


def _has_bases(of_class: ast.ClassDef) -> bool:
    return [ast.unparse(base) for base in of_class.bases] not in ([], ["object"])


def _class_of(file: SourceFile, node: ast.Attribute) -> ast.ClassDef | None:
    """Returns the class whose method an attribute is. None if it is not known."""
    value: ast.expr | None = node.value
    if isinstance(value, ast.Name):
        function = file.function(node)
        parent = file.parent(function) if function is not None else None
        is_method = isinstance(function, ast.FunctionDef) and not function.decorator_list
        if isinstance(function, ast.FunctionDef) and is_method and isinstance(parent, ast.ClassDef):
            first = function.args.args[0].arg if function.args.args else ""
            if first == value.id and len(bindings.of_scope(file, value)) == 1:
                return parent
        value = bindings.assigned_value(file, value)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    bound = bindings.of_scope(file, value.func)
    return bound[0] if len(bound) == 1 and isinstance(bound[0], ast.ClassDef) else None
