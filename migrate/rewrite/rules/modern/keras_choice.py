"""Selects legacy Keras if another rule removed the import from legacy that selected it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.rules.legacy import keras_choice


def _find(file: SourceFile) -> Iterator[Change]:
    is_selected = any(map(keras_choice.is_of_legacy, _imported_names(file)))
    if file.plan.program.is_old and not is_selected and keras_choice.uses_keras(file):
        yield from keras_choice.changes(file)


def _imported_names(file: SourceFile) -> Iterator[str]:
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


RULE = Rule(
    __name__,
    _find,
    message="tf.keras stays legacy Keras after the import that selected it is removed.",
    source="https://blog.tensorflow.org/2024/03/whats-new-in-tensorflow-216.html",
    symbols=("tf.keras.*",),
    recipe="layers_and_losses",
)
