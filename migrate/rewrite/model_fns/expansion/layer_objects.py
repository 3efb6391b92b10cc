"""Turns objects of tf.layers that are called once into calls of its functions.

draft = without_objects(draft)

For example, `layer = tf.layers.Dense(8)` and `y = layer(x)` become `y = tf.layers.dense(x, 8)`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.engine import bindings
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.rendering import Rendered

# Functions of tf.layers by their classes. Both have the same parameters after the inputs.
_FUNCTIONS = {
    "tf.layers.AveragePooling2D": "average_pooling2d",
    "tf.layers.BatchNormalization": "batch_normalization",
    "tf.layers.Conv1D": "conv1d",
    "tf.layers.Conv2D": "conv2d",
    "tf.layers.Dense": "dense",
    "tf.layers.Dropout": "dropout",
    "tf.layers.Flatten": "flatten",
    "tf.layers.MaxPooling2D": "max_pooling2d",
}


@expansion
def without_objects(draft: Draft) -> Draft:
    """Returns a copy of a file in which a model_fn calls functions instead of these objects.

    Args:
      draft: The copy of the file.
    """
    if not any(match.name in _FUNCTIONS for match in draft.file.names()):
        return draft
    return draft.repeatedly(_first)


def _first(draft: Draft) -> dict[ast.stmt, Sequence[Line]] | None:
    """Returns the new lines of the first object. None if there is none to replace."""
    file = draft.file
    for call in ast.walk(draft.function):
        if not isinstance(call, ast.Call) or len(call.args) != 1:
            continue
        if file.function(call) is not draft.function or isinstance(call.args[0], ast.Starred):
            continue
        made = call.func
        if isinstance(made, ast.Name):
            value = bindings.assigned_value(file, made)
            if value is None or bindings.uses_of_value(file, value) != [made]:
                continue
            if bindings.is_repeated(file, call) or file.function(value) is not draft.function:
                continue
            made = value
        name = file.name_of(made.func) if isinstance(made, ast.Call) else None
        if not isinstance(made, ast.Call) or name not in _FUNCTIONS:
            continue
        module = file.segment(made.func).rpartition(".")[0]
        parts = [*call.args, *made.args, *made.keywords, *call.keywords]
        text = f"{module}.{_FUNCTIONS[name]}({', '.join(map(file.segment, parts))})"
        rendered, statement = Rendered(file), file.statement(call)
        rendered.replace(call, text)
        indent = file.indent(statement.lineno)
        lines: dict[ast.stmt, Sequence[Line]] = {}
        if made is not call.func:
            lines[file.statement(made)] = []
        lines[statement] = draft.lines_of(statement, rendered.statement(statement, indent))
        return lines
    return None
