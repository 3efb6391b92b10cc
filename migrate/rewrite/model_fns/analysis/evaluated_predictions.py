"""Compares the predictions of an evaluation with those of a prediction.

reason = problem(file, function)

The function of `add_metrics` gets the predictions of the EstimatorSpec for mode "eval". A Keras
model computes the predictions for mode "infer".
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import heads, resolving, sharing, slices, specifications
from migrate.rewrite.model_fns.analysis.modes import Modes, Path


def problem(file: SourceFile, function: ast.FunctionDef) -> str:
    """Returns the reason why the predictions of an evaluation may differ, or "" if they cannot.

    Args:
      file: The file.
      function: The model_fn.
    """
    try:
        modes = Modes(file, function)
        evaluated, inferred = modes.path("eval"), modes.path("infer")
        if evaluated is None or inferred is None:
            return "its model_fn has no mode 'eval' or no mode 'infer'"
        if heads.read(file, function, evaluated) is not None:
            return ""  # The head computes both.
        first = specifications.read(file, modes, "eval", evaluated).get("predictions")
        second = specifications.read(file, modes, "infer", inferred).get("predictions")
    except NotUnderstood as error:
        return str(error)
    if first is None:
        return "its model_fn returns no predictions for evaluation"
    if second is None or not _is_same(evaluated, first, inferred, second):
        return "its model_fn returns other predictions for evaluation"
    return ""


def _is_same(first: Path, value: ast.expr, second: Path, other: ast.expr) -> bool:
    """Says whether two paths compute the same value, except for flags that say who trains."""
    parts = _part(first, value), _part(second, other)
    return len(parts[0]) == len(parts[1]) and all(
        sharing.is_same(node, other_node) for node, other_node in zip(*parts, strict=True)
    )


def _part(path: Path, value: ast.expr) -> list[ast.AST]:
    """Returns the statements that compute a value, and the value."""
    value = resolving.resolved(path, value)
    return [*slices.needed(path.statements, slices.read(value)), value]
