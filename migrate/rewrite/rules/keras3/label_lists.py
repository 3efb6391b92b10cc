"""Replaces lists of labels by tensors, because a loss of Keras 3 takes no lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names

# The only function of keras.losses that reads the shape of its arguments before it converts them.
_FUNCTIONS = tuple(f"{module}.sparse_categorical_crossentropy" for module in ("losses", "metrics"))
_PARAMETERS = ("y_true", "y_pred")


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, _ in names.of_tf_keras(file):
        args = arguments.bind(match.call, _PARAMETERS) if match.call is not None else None
        if path not in _FUNCTIONS or args is None:
            continue
        for value in (args[name] for name in _PARAMETERS if name in args):
            if _is_list(file, value):
                keras, imports = names.keras(file)
                text = f"{keras}.ops.convert_to_tensor({file.segment(value)})"
                yield file.replacement(value, text, imports)._replace(needed=True)


def _is_list(file: SourceFile, value: ast.expr) -> bool:
    if isinstance(value, ast.Name):
        value = bindings.assigned_value(file, value) or value
    return isinstance(value, (ast.List, ast.Tuple, ast.ListComp))


RULE = Rule(
    __name__,
    _find,
    message="Lists become tensors in sparse_categorical_crossentropy, which takes no lists.",
    source="https://keras.io/api/losses/probabilistic_losses/",
    symbols=tuple(f"tf_keras.{name}" for name in _FUNCTIONS),
    recipe="layers_and_losses",
)
