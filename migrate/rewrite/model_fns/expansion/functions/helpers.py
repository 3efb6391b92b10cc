"""Finds the functions of a file that a model_fn calls, and that must be inlined.

helper = of_call(draft, call)
if helper is not None and is_needed(draft, helper, call, Depth.LATE):
    arguments = helper_arguments(helper, call)
"""

from __future__ import annotations

import ast
import enum
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import instances
from migrate.rewrite.model_fns.layers import parts


class Depth(enum.IntEnum):
    """The helpers to inline."""

    LATE = 1  # Helpers with losses, metrics, train_ops or specs.
    LAYERS = 2  # Also helpers with layers.


class Helper(NamedTuple):
    """A function that a model_fn calls.

    Attributes:
      function: The function.
      owner: Name of the first parameter of a method, such as "self", or "" for a function.
      is_inner: Whether it is nested in the model_fn, or next to it in the same function.
      object: The object whose method it is. None for a function.
      of_class: Class of an object that the model_fn makes, or None.
    """

    function: ast.FunctionDef
    owner: str
    is_inner: bool
    object: ast.expr | None = None
    of_class: ast.ClassDef | None = None


def of_call(draft: Draft, call: ast.Call) -> Helper | None:
    """Returns the function of the file that a call runs. None for other functions.

    Args:
      draft: The copy of the file.
      call: Call in the model_fn.
    """
    file = draft.file
    method = instances.method_of(draft, call)
    if method is not None:
        owner = method.function.args.args[0].arg
        return Helper(method.function, owner, False, method.object, method.of_class)
    if isinstance(call.func, ast.Attribute):
        return _method(draft, call.func)
    if not isinstance(call.func, ast.Name):
        return None
    bound = bindings.of_scope(file, call.func)
    if len(bound) != 1 or not isinstance(bound[0], ast.FunctionDef):
        return None
    function = bound[0]
    if function.decorator_list or file.function(draft.function) is function:
        return None
    if file.parent(function) is file.tree:
        return Helper(function, "", is_inner=False)
    outer = file.function(function)  # Also if a branch of it defines the function.
    is_inner = outer is not None and outer in (draft.function, file.function(draft.function))
    return Helper(function, "", is_inner=True) if is_inner else None


def _method(draft: Draft, node: ast.Attribute) -> Helper | None:
    """Returns the method that `self.name` calls in a model_fn that is a method itself."""
    owner, name = owner_of(draft), node.attr
    parent = draft.file.parent(draft.function)
    if not owner or not isinstance(parent, ast.ClassDef):
        return None
    if not isinstance(node.value, ast.Name) or node.value.id != owner:
        return None
    methods = [statement for statement in parent.body if getattr(statement, "name", "") == name]
    if len(methods) != 1 or not isinstance(methods[0], ast.FunctionDef):
        return None
    # A class of another file, or of this one, may override the method.
    namesakes = [
        other
        for other in draft.file.nodes
        if isinstance(other, ast.FunctionDef) and other.name == name
    ]
    if len(namesakes) != 1:
        raise NotUnderstood(f"another class may replace the method {name}()")
    decorators = [ast.unparse(decorator) for decorator in methods[0].decorator_list]
    if decorators == ["staticmethod"]:
        return Helper(methods[0], "", is_inner=False)
    first_parameter = methods[0].args.args[0].arg if methods[0].args.args else ""
    return (
        Helper(methods[0], first_parameter, is_inner=False, object=node.value)
        if not decorators and first_parameter
        else None
    )


def owner_of(draft: Draft) -> str:
    """Returns the first parameter of a model_fn that is a method, or "" for a function."""
    function = draft.function
    is_method = isinstance(draft.file.parent(function), ast.ClassDef)
    if not is_method or function.decorator_list or not function.args.args:
        return ""
    return function.args.args[0].arg


def is_needed(draft: Draft, helper: Helper, call: ast.Call, depth: Depth) -> bool:
    """Says whether the analysis needs the statements of a helper.

    Args:
      draft: The copy of the file.
      helper: The helper.
      call: Call of the helper in the model_fn.
      depth: The helpers to inline.
    """
    if helper.function.name in draft.helpers:
        return True  # Its file stays as it is.
    if helper.of_class is not None:
        return helper.of_class.name in draft.helpers or instances.makes_layers(
            draft.file, helper.of_class
        )
    has_layers = makes_variables(draft, helper)
    # The methods of a Keras model know whether they train, and no other mode.
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not has_layers and any("mode" in slices.read(argument) for argument in arguments):
        return True
    if _has_names(draft, helper.function, instances.LATE, set()):
        return not _is_plain(draft.file, helper)
    if any(_has_metric(draft.file, argument) for argument in arguments):
        return True
    is_other = bool(helper.owner) or helper.is_inner
    return has_layers and (is_other or depth >= Depth.LAYERS) or is_other


def _has_metric(file: SourceFile, argument: ast.expr) -> bool:
    """Says whether an argument is a metric, or a function that makes one."""
    return any(match.name.startswith("tf.metrics.") for match in checks.names_in(file, argument))


def makes_variables(draft: Draft, helper: Helper) -> bool:
    """Says whether a helper makes layers or variables.

    Args:
      draft: The copy of the file.
      helper: The helper.
    """
    return _has_names(draft, helper.function, parts.MAKE_VARIABLES, set())


def _is_plain(file: SourceFile, helper: Helper) -> bool:
    """Says whether methods of a Keras model can call a helper as it is."""
    if helper.owner or helper.is_inner:
        return False
    name = helper.function.name
    collects = ("get_total_loss", "get_losses", "add_loss")
    is_collected = any(
        match.name.startswith("tf.losses.") and match.name.endswith(collects)
        for match in file.names()
    )
    return not is_collected and checks.is_plain(file, name, has_labels=True)


def _has_names(
    draft: Draft,
    function: ast.FunctionDef,
    prefixes: tuple[str, ...],
    visited: set[str],
) -> bool:
    """Says whether a function, or a function that it calls, uses a name of TensorFlow."""
    visited.add(function.name)
    if any(match.name.startswith(prefixes) for match in checks.names_in(draft.file, function)):
        return True
    for node in ast.walk(function):
        callee = of_call(draft, node) if isinstance(node, ast.Call) else None
        is_new = callee is not None and callee.function.name not in visited
        if callee is not None and is_new and _has_names(draft, callee.function, prefixes, visited):
            return True
    return False


def helper_arguments(helper: Helper, call: ast.Call) -> dict[str, ast.expr]:
    """Returns the arguments of a call by the parameters of its helper, with defaults.

    Args:
      helper: The helper.
      call: The call.

    Raises:
      NotUnderstood: The call has starred or wrong arguments.
    """
    arguments = parts.bound_arguments(helper.function, call, has_owner=bool(helper.owner))
    if helper.object is not None:
        arguments = {helper.owner: helper.object, **arguments}
    return arguments
