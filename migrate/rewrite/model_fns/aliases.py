"""Follows names that stand for the model_fns of Estimators.

    for node, line in model_fn_lines(file).items():
        print(file.segment(node), "is the model_fn of the Estimator in line", line)

For example, `train_fn = functools.partial(model_fn, units=8)` is such a name, and also
`train_fn = models.cnn_model_fn`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

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
        value is not None
        and (_is_of_module(file, value) or bound_arguments.read(file, value) is not None)
    )
    if not isinstance(node, ast.Name) or value is None or not is_alias:
        return None
    if file.plan.is_shared and bindings.scope(file, node) is None:
        return None  # Other files may import the alias.
    uses = bindings.uses_of_value(file, value)
    is_itself = isinstance(value, ast.Name) and value.id == node.id
    return value if uses is not None and len(uses) == 1 and not is_itself else None


def _is_of_module(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a name of a module, such as `models.cnn_model_fn`."""
    if not isinstance(node, ast.Attribute):
        return False
    root = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    binders = bindings.of_scope(file, root) if isinstance(root, ast.Name) else []
    return len(binders) == 1 and isinstance(binders[0], ast.alias)


def model_fn_lines(file: SourceFile) -> Mapping[ast.expr, int]:
    """Returns the model_fns of a file's Estimators, with the lines of the Estimators."""
    return file.computed(_model_fn_lines)


def names_of(file: SourceFile) -> list[ast.expr]:
    """Returns the names that stand for model_fns, where the Estimators of a file take them."""
    return [node for node, _ in _arguments(file) if value_of(file, node) is not None]


def _model_fn_lines(file: SourceFile) -> dict[ast.expr, int]:
    lines = {}
    for node, line in _arguments(file):
        node = value_of(file, node) or node
        bound = bound_arguments.read(file, node)
        lines[node if bound is None else bound.function] = line
    return lines


def _arguments(file: SourceFile) -> Iterator[tuple[ast.expr, int]]:
    """Yields the model_fn argument of each Estimator, with the line of the Estimator."""
    for match in file.names():
        if match.name not in estimator_classes.WITH_MODEL_FN or match.call is None:
            continue
        node = (estimator_classes.arguments_of(match) or {}).get("model_fn")
        if node is not None:
            yield node, match.call.lineno
