"""Finds values that a model_fn chooses by its settings, such as an optimizer.

    choice = of(path, node)
    choice.test, choice.first.value, choice.second.value

For example, after `if params["sgd"]: opt = A` and `else: opt = B`, the choice for `opt` has two
branches. Each of them is the path to its value.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import Path


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
      test: Test of the setting.
      first: Branch if the test is true.
      second: Branch if it is false.
    """

    test: ast.expr
    first: Branch
    second: Branch


def of(path: Path, node: ast.expr) -> Choice | None:
    """Returns the choice of a value. None if it is not chosen by an `if`.

    Args:
      path: Path of the model_fn in training.
      node: The value at the end of the path.
    """
    if isinstance(node, ast.IfExp):
        return Choice(node.test, Branch(path, node.body), Branch(path, node.orelse))
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
