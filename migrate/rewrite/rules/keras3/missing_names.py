"""Reports names of tf_keras that Keras 3 lacks, or that compute something else there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names, places
from migrate.rewrite.keras3.backend_functions import FUNCTIONS

# Modules whose names other rules replace.
_REPLACED = ("losses.Reduction", "optimizers.experimental", "optimizers.legacy")
_OLD_ACTIVATION = "hard_sigmoid"


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, is_v1 in names.of_tf_keras(file):
        reason = _reason(path, is_v1)
        if reason:
            yield file.suggestion(match.node, reason)._replace(needed=True)
    if not names.uses_tf_keras(file):
        return
    for node in file.nodes:
        if isinstance(node, ast.Constant) and node.value == _OLD_ACTIVATION:
            reason = places.OTHERS["activations.hard_sigmoid"]
            yield file.suggestion(node, reason)._replace(needed=True)


def _reason(path: str, is_v1: bool) -> str:
    """Returns the reason why a name cannot move to Keras 3, or ""."""
    if path in places.OTHERS:
        return places.OTHERS[path]
    if is_v1 and path in places.OF_V1:
        return f"tf.compat.v1.keras.{path} has other defaults than that of Keras 3"
    if places.moved(path) is not None or path.startswith(_REPLACED):
        return ""
    if path.startswith("backend.") and path.removeprefix("backend.") in FUNCTIONS:
        return ""
    return "" if places.is_in_keras(path) else f"Keras 3 has no {path}"


RULE = Rule(
    __name__,
    _find,
    message="A program with names that Keras 3 lacks stays on tf_keras.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=("tf_keras.*",),
    recipe="layers_and_losses",
)
