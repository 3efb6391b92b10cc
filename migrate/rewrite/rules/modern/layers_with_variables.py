"""Replaces layers of tf.layers with variables by Keras layers, if no other code depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile

_VARIABLES = (
    "the layer owns its variables, so tf.variable_scope, UPDATE_OPS and the collections of losses "
    "do not include them"
)


def _find(file: SourceFile) -> Iterator[Change]:
    yield from layer_calls.changes(file, RULE, layer_calls.WITH_VARIABLES, _VARIABLES)


RULE = Rule(
    __name__,
    _find,
    message="Keras layers replace functions of tf.layers with variables, and own the variables.",
    source="https://www.tensorflow.org/guide/migrate/model_mapping",
    symbols=tuple(f"tf.layers.{name}" for name in layer_calls.WITH_VARIABLES),
    recipe="layers_and_losses",
    safe=False,
)
