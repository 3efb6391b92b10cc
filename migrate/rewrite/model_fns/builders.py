"""Finds the Estimators that train the results of a builder, a function that returns its model_fn.

    results = results_of(file, builder)
    if results is not None:
        print([result.model_fns for result in results])

For example, `model_fn = builder()` is followed by `Estimator(model_fn)`. If the builder returns a
class, all of these Estimators become models of such a class.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.plan import OF_MODULE
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import aliases, rendering


class Result(NamedTuple):
    """The result of a call.

    Attributes:
      call: The call.
      target: Variable that holds the result, or None.
      model_fns: The result as the argument of each Estimator.
    """

    call: ast.Call
    target: ast.Name | None
    model_fns: Sequence[ast.expr]


class Returned(NamedTuple):
    """The class that a builder returns for an Estimator.

    Attributes:
      text: Expression of the class.
      target: Variable of the old code that holds the model_fn, or None.
      lines: Lines of all Estimators that train results of the builder. All of them become models,
        or none.
    """

    text: str
    target: ast.Name | None
    lines: frozenset[int]


def results_of(file: SourceFile, builder: ast.FunctionDef) -> list[Result] | None:
    """Returns the results of a builder's calls. None if anything but an Estimator uses one.

    Args:
      file: The file.
      builder: A function at module level.
    """
    references = [
        node
        for node in file.nodes
        if isinstance(node, ast.Name) and node.id == builder.name and isinstance(node.ctx, ast.Load)
    ]
    if any(bindings.of_scope(file, node) != [builder] for node in references):
        return None
    return of_references(file, references)


def of_references(file: SourceFile, references: Sequence[ast.expr]) -> list[Result] | None:
    """Returns the results of a builder's calls. None if anything but an Estimator uses one.

    Args:
      file: The file.
      references: All expressions of the file that are the builder.
    """
    results = [_result(file, file.parent(node), node) for node in references]
    known_results = [result for result in results if result is not None]
    return known_results if len(known_results) == len(results) else None


def returned(file: SourceFile, node: ast.expr, results: Sequence[Result]) -> Returned | None:
    """Returns the class of an Estimator's model_fn. None if it is no result of the builder.

    Args:
      file: The file.
      node: The model_fn of the Estimator.
      results: All results of the builder.
    """
    lines = aliases.model_fn_lines(file)
    together = frozenset(lines[part] for result in results for part in result.model_fns)
    for result in results:
        if node in result.model_fns and result.target is None:
            return Returned(rendering.one_line(file, result.call), None, together)
        if node in result.model_fns and result.target is not None:
            scope = bindings.scope(file, result.target)
            name = file.new_name("model_class", ("the class of", result.target), scope)
            return Returned(name, result.target, together)
    return None


def _result(file: SourceFile, call: ast.AST | None, function: ast.expr) -> Result | None:
    """Returns the result of a call. None if anything but an Estimator uses it."""
    if not isinstance(call, ast.Call) or call.func is not function:
        return None
    model_fns = aliases.model_fn_lines(file)
    if call in model_fns:
        return Result(call, None, [call])
    statement = file.parent(call)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Name) or bindings.assigned_value(file, target) is not call:
        return None
    if bindings.scope(file, target) is None and is_used_elsewhere(file, target.id):
        return None
    uses = bindings.uses(file, target)
    return Result(call, target, uses) if uses and all(use in model_fns for use in uses) else None


def is_used_elsewhere(file: SourceFile, name: str) -> bool:
    """Says whether other files may use a function or variable of the module.

    Args:
      file: The file.
      name: The name.
    """
    used = file.plan.used_elsewhere
    return file.plan.is_shared and (used is None or name in used or OF_MODULE in used)
