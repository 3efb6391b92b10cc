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
            if keyword.arg == "name" and _has_slash(keyword.value):
                new = file.segment(keyword.value).replace("/", "_")
                yield file.replacement(keyword.value, new, unsafe=_REASON)._replace(needed=True)


def _has_slash(value: ast.expr) -> bool:
    """Says whether a text in an expression has a slash, as in `"tower/" + name` or an f-string."""
    nodes = [*ast.walk(value)]
    if any(isinstance(node, (ast.Div, ast.FloorDiv)) for node in nodes):
        return False  # Its other slashes are no names.
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return any(isinstance(text, str) and "/" in text for text in texts)


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
