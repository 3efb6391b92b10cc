"""Replaces layers of tf.layers without variables by Keras layers."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile


def _find(file: SourceFile) -> Iterator[Change]:
    yield from layer_calls.changes(file, RULE, layer_calls.WITHOUT_VARIABLES)


RULE = Rule(
    __name__,
    _find,
    message="Keras layers replace functions of tf.layers without variables.",
    source="https://www.tensorflow.org/guide/migrate/model_mapping",
    symbols=tuple(f"tf.layers.{name}" for name in layer_calls.WITHOUT_VARIABLES),
    recipe="layers_and_losses",
)
