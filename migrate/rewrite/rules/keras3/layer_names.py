"""Replaces the slashes in names of layers, which Keras 3 refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names

_REASON = (
    "Keras 3 has no / in names of layers, so `migrate checkpoint convert` needs a map for this one"
)
_NAMED = ("layers.", "Input", "Model", "Sequential")
_OF_MODERN = ("column_layers", "column_models", "embedding", "heads", "normalization", "porting")


def _find(file: SourceFile) -> Iterator[Change]:
    calls = [
        match.call
        for path, match, _ in names.of_tf_keras(file)
        if match.call is not None and path.startswith(_NAMED)
    ]
    if names.uses_tf_keras(file):
        calls += [node for node in file.nodes if isinstance(node, ast.Call) and _is_of_modern(node)]
    for call in calls:
        for keyword in call.keywords:
            value = keyword.value
            text = value.value if isinstance(value, ast.Constant) else None
            if keyword.arg == "name" and isinstance(text, str) and "/" in text:
                new = file.segment(value).replace("/", "_")
                yield file.replacement(value, new, unsafe=_REASON)._replace(needed=True)


def _is_of_modern(node: ast.Call) -> bool:
    """Says whether a call is that of a layer or a model of modern."""
    function = node.func
    owner = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in _OF_MODERN


RULE = Rule(
    __name__,
    _find,
    message="Names of layers have _ instead of /, which Keras 3 refuses.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=("tf_keras.layers.*",),
    recipe="layers_and_losses",
    safe=False,
)
