"""Reads a model_fn of which `functools.partial` or a lambda sets some arguments.

    bound = read(file, node)
    if bound is not None:
        print(bound.function, bound.values)

For example, `functools.partial(model_fn, units=8)` is the model_fn `model_fn` with units=8. The
class that it becomes takes `units` as an argument of its constructor.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_MODEL_FN = frozenset(("features", "labels", "mode", "params", "config"))
_PARTIAL = ("functools.partial", "partial")


class Bound(NamedTuple):
    """A model_fn with the values of some of its parameters.

    Attributes:
      function: Expression of the model_fn.
      values: Values by parameter.
      first: Values of the first parameters, in order.
    """

    function: ast.expr
    values: Mapping[str, ast.expr]
    first: Sequence[ast.expr] = ()


def read(file: SourceFile, node: ast.expr) -> Bound | None:
    """Returns the model_fn inside an expression. None if it is nothing of this kind.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    bound = None
    if isinstance(node, ast.Call) and ast.unparse(node.func) in _PARTIAL:
        bound = _of_partial(node)
    elif isinstance(node, ast.Lambda):
        bound = _of_lambda(node)
    if bound is None:
        return None
    values = [*bound.first, *bound.values.values()]
    return bound if all(_is_settled(file, value) for value in values) else None


def _of_partial(call: ast.Call) -> Bound | None:
    values = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if not call.args or is_starred or len(values) < len(call.keywords):
        return None
    return Bound(call.args[0], values, call.args[1:])


def _of_lambda(node: ast.Lambda) -> Bound | None:
    call, options = node.body, node.args
    names = [argument.arg for argument in (*options.args, *options.kwonlyargs)]
    if options.vararg or options.kwarg or options.posonlyargs or not {*names} <= _MODEL_FN:
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, (ast.Name, ast.Attribute)):
        return None
    # The first arguments of a model_fn have no other order in practice than this one.
    pairs = [*zip(("features", "labels", "mode", "params"), call.args, strict=False)]
    pairs += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    values: dict[str, ast.expr] = {}
    for name, value in pairs:
        if isinstance(value, ast.Name) and value.id in names:
            if value.id != name:
                return None
        elif any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(value)):
            return None
        else:
            values[name] = value
    is_whole = len(call.args) <= len(("features", "labels", "mode", "params"))
    return Bound(call.func, values) if is_whole and "" not in values else None


def _is_settled(file: SourceFile, value: ast.expr) -> bool:
    """Says whether an expression has the same value wherever its names are known."""
    for node in ast.walk(value):
        if isinstance(node, (ast.Call, ast.Lambda, ast.NamedExpr)):
            return False
        if isinstance(node, ast.Name) and len(bindings.of_scope(file, node)) > 1:
            return False
    return True
