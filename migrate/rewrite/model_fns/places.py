"""Finds the function that an Estimator trains, and the place for the class that it becomes.

place = of(file, model_fn)
if isinstance(place, Place):
    print(place.constructor_call("Model", "params"))

A function of the module becomes a class there. A function in another function becomes a class in
that function. A method becomes a class before its own class, and gets the object as an argument. So
does a static method, without an object. The model_fn may also be an object with a `__call__`.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Mapping
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import aliases, bound_arguments, builders, rendering
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.bound_arguments import Bound
from migrate.rewrite.model_fns.builders import Returned

_STATE = "a variable of its function that changes"
_UNKNOWN = "its model_fn is a method of an unknown class"


class Place(NamedTuple):
    """A model_fn, and the way to make the class that it becomes.

    Attributes:
      function: The function.
      owner: Text of the object whose method it is, or "" for a function or a static method.
      of_class: The class of a method, or None.
      return_name: The name in the `return` of the enclosing function, or None.
      returned: The class as the enclosing function returns it, or None.
      bound: Texts of arguments that are set where the Estimator is made, by parameter.
    """

    function: ast.FunctionDef
    owner: str = ""
    of_class: ast.ClassDef | None = None
    return_name: ast.Name | None = None
    returned: Returned | None = None
    bound: Mapping[str, str] = types.MappingProxyType({})

    def constructor_call(self, name: str, params: str) -> str:
        """Returns the expression that makes the model.

        Args:
          name: Name of the class.
          params: Text of the params, or "" if the class takes none.
        """
        params = self.bound.get("params", params)
        others = [f"{key}={text}" for key, text in self.bound.items() if key != "params"]
        arguments = ", ".join(text for text in (self.owner, params, *others) if text)
        return f"{self.returned.text if self.returned else name}({arguments})"


def of(file: SourceFile, node: ast.expr) -> Place | str:
    """Returns the place of a model_fn, or the reason why it is not understood.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    bound = bound_arguments.read(file, node)
    if bound is not None:
        return _bound(file, bound)
    if isinstance(node, ast.Attribute):
        return _method(file, node)
    place = _callable(file, node)
    if place is not None:
        return place
    function = input_functions.function_of(file, node)
    if not isinstance(function, ast.FunctionDef):
        return "its model_fn is not a function of this file"
    if file.parent(function) is file.tree:
        return Place(function)
    return _inner(file, node, function)


def _bound(file: SourceFile, bound: Bound) -> Place | str:
    """Returns the place of a function of which the Estimator sets some arguments."""
    place = of(file, bound.function)
    if isinstance(place, str):
        return place
    name = place.function.name
    uses = sum(getattr(node, "id", getattr(node, "attr", "")) == name for node in file.nodes)
    if place.bound or uses != 1 or file.plan.is_shared:
        return f"its model_fn {name} has other uses"
    parameters = [argument.arg for argument in place.function.args.args]
    first = dict(zip(parameters[1 if place.owner else 0 :], bound.first, strict=False))
    texts = {
        key: rendering.one_line(file, value) for key, value in (first | {**bound.values}).items()
    }
    if {"features", "labels", "mode"} & texts.keys() or len(first) < len(bound.first):
        return f"the partial of its model_fn {name} sets its features, labels or mode"
    return place._replace(bound=texts)


def _inner(file: SourceFile, node: ast.expr, function: ast.FunctionDef) -> Place | str:
    """Returns the place of a function that is defined in another function."""
    outer = file.parent(function)
    if not isinstance(outer, ast.FunctionDef):
        return "its model_fn is not defined at module level"
    place = _inside(file, outer, function)
    if isinstance(place, str) or place.return_name is node:
        return place if isinstance(place, str) else place._replace(return_name=None)
    place = _returned(file, outer, place)
    if isinstance(place, str):
        return place
    if builders.is_used_elsewhere(file, outer.name):
        return "other files may use the function that returns its model_fn"
    results = builders.results_of(file, outer)
    returned = builders.returned(file, node, results or ())
    if returned is None:
        return f"{outer.name}() has other uses than to make model_fns of Estimators"
    return place._replace(returned=returned)


def of_builder(file: SourceFile, outer: ast.FunctionDef) -> Place | str:
    """Returns the place of the model_fn that a function returns, for Estimators of other files.

    Args:
      file: The file.
      outer: The function that returns it.
    """
    values = [statement.value for statement in input_functions.returns(outer)]
    value = values[0] if len(values) == 1 else None
    function = input_functions.function_of(file, value) if isinstance(value, ast.Name) else None
    if not isinstance(function, ast.FunctionDef) or file.parent(function) is not outer:
        return f"{outer.name}() may return something other than its own model_fn"
    place = _inside(file, outer, function)
    return place if isinstance(place, str) else _returned(file, outer, place)


def _inside(file: SourceFile, outer: ast.FunctionDef, function: ast.FunctionDef) -> Place | str:
    """Returns the place of a function inside another one, with its only use as `return_name`."""
    reads = [
        part
        for part in ast.walk(outer)
        if isinstance(part, ast.Name)
        and part.id == function.name
        and isinstance(part.ctx, ast.Load)
    ]
    if len(reads) != 1:
        return f"its model_fn {function.name} has other uses"
    state = _state(outer, function)
    return (
        f"its model_fn reads {state}, {_STATE}" if state else Place(function, return_name=reads[0])
    )


def _returned(file: SourceFile, outer: ast.FunctionDef, place: Place) -> Place | str:
    """Returns the place of a function that its outer function returns, or the reason against it."""
    name = place.return_name
    if name is None or not isinstance(file.parent(name), ast.Return) or outer.decorator_list:
        return f"its model_fn {place.function.name} has other uses"
    if file.parent(outer) is not file.tree:
        return f"{outer.name}() is not a function of the module"
    return place


def _state(outer: ast.FunctionDef, function: ast.FunctionDef) -> str:
    """Returns a variable of the outer function that may change after the class statement, or ""."""
    for node in ast.walk(outer):
        if isinstance(node, (ast.Nonlocal, ast.Yield, ast.YieldFrom)):
            return node.names[0] if isinstance(node, ast.Nonlocal) else outer.name
    parameters = {argument.arg for argument in _parameters(outer)}
    local_names = slices.bound_inside(function) | {
        argument.arg for argument in _parameters(function)
    }
    free_names = set().union(*map(slices.read, function.body)) - local_names
    bound_names = [
        name
        for statement in outer.body
        if statement is not function
        for name in slices.bound(statement)
    ]
    for name in sorted(free_names):
        if bound_names.count(name) + (name in parameters) > 1:
            return name
        later = [statement for statement in outer.body if statement.lineno > function.lineno]
        if any(
            name in slices.bound(statement)
            for statement in later
            if not isinstance(statement, ast.FunctionDef)
        ):
            return name
    return ""


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    arguments = function.args
    starred = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred]


def _method(file: SourceFile, node: ast.Attribute) -> Place | str:
    """Returns the place of a method, such as `self.model_fn` or `Model.model_fn`."""
    named_class = _class_named(file, node.value)
    of_class = named_class or _class_of(file, node)
    if of_class is None:
        return _UNKNOWN
    if node.attr in _assigned_attributes(file) | file.plan.changed_elsewhere:
        return f"the program assigns another value to {node.attr}"
    if named_class is None:
        problem = _problem_of_object(file, of_class)
        if problem:
            return problem
    return _of_class(
        file, of_class, node.attr, "" if named_class else rendering.one_line(file, node.value)
    )


def _callable(file: SourceFile, node: ast.expr) -> Place | str | None:
    """Returns the place of the `__call__` of an object. None if the node is no object of the file.

    For example, the model_fn is `net` after `net = Network(8)`.
    """
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    of_class = _class_named(file, value.func) if isinstance(value, ast.Call) else None
    if of_class is None:
        return None
    if isinstance(node, ast.Name):
        model_fns = aliases.model_fn_lines(file)
        others = [
            use
            for use in bindings.uses(file, node)
            if use not in model_fns and not isinstance(file.parent(use), ast.Attribute)
        ]
        is_global = bindings.scope(file, node) is None
        if others or (is_global and builders.is_used_elsewhere(file, node.id)):
            return f"{node.id} has other uses than to be its model_fn"
    problem = _problem_of_object(file, of_class)
    return problem or _of_class(file, of_class, "__call__", rendering.one_line(file, node))


def _problem_of_object(file: SourceFile, of_class: ast.ClassDef) -> str:
    """Returns the reason why an object may have other methods than those of its class, or ""."""
    if of_class.decorator_list or of_class.keywords or _has_bases(of_class):
        return f"the class {of_class.name} of its model_fn is derived from another one"
    derived = any(
        isinstance(base, ast.Name) and base.id == of_class.name
        for other in file.nodes
        for base in (other.bases if isinstance(other, ast.ClassDef) else ())
    )
    if derived or of_class.name in file.plan.changed_elsewhere:
        return f"another class is derived from {of_class.name}, and may replace its methods"
    return ""


def _of_class(file: SourceFile, of_class: ast.ClassDef, name: str, owner: str) -> Place | str:
    """Returns the place of a method of a class.

    Args:
      file: The file.
      of_class: The class.
      name: Name of the method.
      owner: Text of the object, or "" for the class.
    """
    methods = [statement for statement in of_class.body if getattr(statement, "name", "") == name]
    if len(methods) != 1 or not isinstance(methods[0], ast.FunctionDef):
        return _UNKNOWN
    function = methods[0]
    if file.parent(of_class) is not file.tree or of_class.decorator_list or of_class.keywords:
        return f"the class {of_class.name} of its model_fn is not a plain class of the module"
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    names = [argument.arg for argument in function.args.args]
    # `Class.function` is the plain function. Without `self`, it needs no decorator.
    is_plain = not owner and not decorators and names[:1] == ["features"]
    if decorators == ["staticmethod"] or is_plain:
        return Place(function, of_class=of_class)
    if decorators or not names or not owner:
        return "its model_fn has a decorator, or no parameter `self`"
    return Place(function, owner=owner, of_class=of_class)


def _class_named(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns the class of the file that an expression names, or None for others."""
    binders = bindings.of_scope(file, node) if isinstance(node, ast.Name) else []
    if not isinstance(node, ast.Name) or len(binders) != 1:
        return None
    is_stable = not bindings.is_rebound_indirectly(file, node)
    return binders[0] if is_stable and isinstance(binders[0], ast.ClassDef) else None


def _assigned_attributes(file: SourceFile) -> frozenset[str]:
    """Returns the attributes that a file assigns or deletes."""
    return frozenset(
        node.attr
        for node in file.nodes
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    )


def _has_bases(of_class: ast.ClassDef) -> bool:
    return [ast.unparse(base) for base in of_class.bases] not in ([], ["object"])


def _class_of(file: SourceFile, node: ast.Attribute) -> ast.ClassDef | None:
    """Returns the class whose method an attribute names. None if the class is unknown."""
    value: ast.expr | None = node.value
    if isinstance(value, ast.Name):
        function = file.function(node)
        parent = file.parent(function) if function is not None else None
        is_method = isinstance(function, ast.FunctionDef) and not function.decorator_list
        if isinstance(function, ast.FunctionDef) and is_method and isinstance(parent, ast.ClassDef):
            owner = function.args.args[0].arg if function.args.args else ""
            if owner == value.id and len(bindings.of_scope(file, value)) == 1:
                return parent
        value = bindings.assigned_value(file, value)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    binders = bindings.of_scope(file, value.func)
    return binders[0] if len(binders) == 1 and isinstance(binders[0], ast.ClassDef) else None
