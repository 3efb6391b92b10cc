"""Selects legacy Keras if another rule removed the import from legacy that selected it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.rules.legacy import keras_choice


def _find(file: SourceFile) -> Iterator[Change]:
    lines = keras_choice.lines_of_keras(file) if file.plan.program.is_old else []
    is_selected = any(
        keras_choice.is_of_legacy(name) and line < min(lines, default=0)
        for line, name in _imported_names(file)
    )
    if lines and not is_selected:
        yield from keras_choice.changes(file)


def _imported_names(file: SourceFile) -> Iterator[tuple[int, str]]:
    """Yields the line and the full name of each import."""
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, f"{node.module or ''}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name


RULE = Rule(
    __name__,
    _find,
    message="tf.keras stays legacy Keras after the import that selected it is removed.",
    source="https://blog.tensorflow.org/2024/03/whats-new-in-tensorflow-216.html",
    symbols=("tf.keras.*",),
    recipe="layers_and_losses",
)
