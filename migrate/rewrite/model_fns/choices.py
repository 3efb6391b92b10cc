"""Finds values that a model_fn chooses by its settings, such as an optimizer.

    choice = of(path, node)
    choice.test, choice.first.value, choice.second.value

For example, after `if params["sgd"]: opt = A` and `else: opt = B`, the choice for `opt` has two
branches. Each of them is the path to its value. `{"sgd": A, "adam": B}[name](rate)` is a choice,
too: A(rate) if `name == "sgd"`, and else B(rate) or an error. The entries may also be lambdas
without parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import Path

_Node = TypeVar("_Node", bound=ast.expr)
_Resolve = Callable[[ast.expr], ast.expr]


class Branch(NamedTuple):
    """A branch of a choice.

    Attributes:
      path: Path to the end of the branch.
      value: The chosen value at that end, or the `raise` that ends the branch. None if the branch
        assigns no value, so that the program ends with an error.
    """

    path: Path
    value: ast.expr | ast.Raise | None


class Choice(NamedTuple):
    """A value that depends on a setting.

    Attributes:
      test: Test of the setting, or the setting itself if a dictionary chooses.
      first: Branch if the test is true, or if the setting equals the key.
      second: The other branch.
      key: Key of the dictionary's entry. None for a test.
    """

    test: ast.expr
    first: Branch
    second: Branch
    key: ast.expr | None = None


def of(path: Path, node: ast.expr, resolve: _Resolve) -> Choice | None:
    """Returns the choice of a value. None if neither an `if` nor a dictionary chooses it.

    Args:
      path: Path of the model_fn in training.
      node: The value at the end of the path.
      resolve: Returns the value of a name at the end of the path.
    """
    if isinstance(node, ast.IfExp):
        return Choice(node.test, Branch(path, node.body), Branch(path, node.orelse))
    if isinstance(node, ast.Call):
        entry = _with_default(node, resolve)
        if entry is not None:
            return _entry(path, entry, resolve)
        function = of(path, resolve(node.func), resolve)
        return _called(function, node) if function is not None else None
    if isinstance(node, ast.Subscript):
        return _entry(path, node, resolve)
    if not isinstance(node, ast.Name):
        return None
    places = [i for i, part in enumerate(path.statements) if node.id in slices.bound(part)]
    binder = path.statements[places[-1]] if places else None
    if not isinstance(binder, ast.If):
        return None
    before = path.statements[: places[-1]]
    later = path.statements[places[-1] + 1 :]
    branches = [_branch(path, before, body, later, node) for body in (binder.body, binder.orelse)]
    return Choice(binder.test, branches[0], branches[1])


def _branch(
    path: Path,
    before: Sequence[ast.stmt],
    body: Sequence[ast.stmt],
    later: Sequence[ast.stmt],
    node: ast.Name,
) -> Branch:
    last = body[-1] if body else None
    if isinstance(last, ast.Raise):
        return Branch(path, last)
    statements = [*before, *body]
    if not any(node.id in slices.bound(statement) for statement in statements):
        return Branch(path, None)
    return Branch(path._replace(statements=[*statements, *later]), node)


def _called(function: Choice, call: ast.Call) -> Choice:
    """Returns the choice of a call's value, where the function is chosen."""
    branches = []
    for branch in (function.first, function.second):
        value = branch.value
        if isinstance(value, ast.Lambda) and not _has_arguments(value, call):
            value = value.body
        elif isinstance(value, ast.expr):
            value = _copied(ast.Call(value, call.args, call.keywords), call)
        branches.append(branch._replace(value=value))
    return Choice(function.test, branches[0], branches[1], function.key)


def _has_arguments(function: ast.Lambda, call: ast.Call) -> bool:
    """Says whether a lambda has parameters, or its call has arguments."""
    parameters = [node for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    return bool(parameters or call.args or call.keywords)


def _with_default(call: ast.Call, resolve: _Resolve) -> ast.Subscript | None:
    """Returns `table.get(key, value)` as the entry of a table that ends with `**{key: value}`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "get" or call.keywords:
        return None
    table = resolve(call.func.value)
    if not isinstance(table, ast.Dict) or len(call.args) != 2 or None in table.keys:
        return None
    key, default = call.args
    whole = ast.Dict([*table.keys, None], [*table.values, default])
    return _copied(ast.Subscript(whole, key, ast.Load()), call)


def _entry(path: Path, node: ast.Subscript, resolve: _Resolve) -> Choice | None:
    """Returns the choice of an entry of a dictionary. An entry without a key is the default."""
    table = resolve(node.value)
    if not isinstance(table, ast.Dict) or not table.keys or table.keys[0] is None:
        return None
    (key, *keys), (value, *values) = table.keys, table.values
    if len({ast.unparse(item) for item in table.keys if item}) < len(table.keys) - (None in keys):
        return None  # The last of two equal keys counts.
    rest: ast.expr | None = None
    if keys == [None]:
        rest = values[0]
    elif keys:
        others = _copied(ast.Dict(keys, values), table)
        rest = _copied(ast.Subscript(others, node.slice, ast.Load()), node)
    return Choice(node.slice, Branch(path, value), Branch(path, rest), key)


def _copied(node: _Node, original: ast.expr) -> _Node:
    return ast.copy_location(node, original)
