"""Follows names that stand for the model_fns of Estimators.

    for node, line in model_fn_lines(file).items():
        print(file.segment(node), "is the model_fn of the Estimator in line", line)

For example, `train_fn = functools.partial(model_fn, units=8)` is such a name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import bound_arguments


def value_of(file: SourceFile, node: ast.expr) -> ast.expr | None:
    """Returns the model_fn that an alias stands for, if the alias has no other use.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else None
    is_alias = isinstance(value, ast.Name) or (
        value is not None and bound_arguments.read(file, value) is not None
    )
    if not isinstance(node, ast.Name) or value is None or not is_alias:
        return None
    if file.plan.is_shared and bindings.scope(file, node) is None:
        return None  # Other files may import the alias.
    uses = bindings.uses_of_value(file, value)
    is_itself = isinstance(value, ast.Name) and value.id == node.id
    return value if uses is not None and len(uses) == 1 and not is_itself else None


def model_fn_lines(file: SourceFile) -> Mapping[ast.expr, int]:
    """Returns the model_fns of a file's Estimators, with the lines of the Estimators."""
    return file.computed(_model_fn_lines)


def _model_fn_lines(file: SourceFile) -> dict[ast.expr, int]:
    lines = {}
    for match in file.names():
        if match.name not in estimator_classes.WITH_MODEL_FN or match.call is None:
            continue
        node = (estimator_classes.arguments_of(match) or {}).get("model_fn")
        if node is None:
            continue
        node = value_of(file, node) or node
        bound = bound_arguments.read(file, node)
        lines[node if bound is None else bound.function] = match.call.lineno
    return lines
