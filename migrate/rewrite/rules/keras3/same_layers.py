"""Replaces layers that compute something else in Keras 3 by those of modern.layers."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.arguments import Arguments
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.keras3 import names

_NORMALIZATION = "layers.BatchNormalization"
_EMBEDDING = "layers.Embedding"
_MODULES = {
    _NORMALIZATION: Import("modern.layers.normalization", "normalization"),
    _EMBEDDING: Import("modern.layers.embedding", "embedding"),
}
_PARAMETERS = {
    _NORMALIZATION: ("axis", "momentum", "epsilon", "center", "scale"),
    _EMBEDDING: ("input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer"),
}
# Arguments that Keras 3 lacks, with the values that say what it does anyway.
_DROPPED = {
    "fused": (None, True),
    "input_length": None,
    "sparse": (False,),
    "virtual_batch_size": (None,),
    "adjustment": (None,),
}


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, _ in names.of_tf_keras(file):
        if path in _MODULES:
            yield _change(file, path, match)._replace(needed=True)


def _change(file: SourceFile, path: str, match: Match) -> Change:
    module = _MODULES[path]
    text = f"{file.module_name(module)}.{path.removeprefix('layers.')}"
    if match.call is None:
        return file.replacement(match.node, text, (module,))
    values = arguments.bind(match.call, _PARAMETERS[path])
    if values is None:
        return file.suggestion(match.call, "it is created with *args or **kwargs")
    call = Arguments(file.segment(match.call))
    call.name_positional(_PARAMETERS[path], start=2 if path == _EMBEDDING else 0)
    for name, allowed in _DROPPED.items():
        if name not in values:
            continue
        if allowed is not None and getattr(values[name], "value", values[name]) not in allowed:
            reason = f"Keras 3 has no {name}={file.segment(values[name])}"
            return file.suggestion(match.call, reason)
        call.remove(name)
    call.set_function(text)
    return file.replacement(match.call, call.code, (module,))


RULE = Rule(
    __name__,
    _find,
    message="Layers of modern.layers replace batch normalization and embeddings, which compute "
    "other moving variances in Keras 3, and read whole tables.",
    source="https://keras.io/api/layers/normalization_layers/batch_normalization/",
    symbols=(
        *("tf.keras.layers.BatchNormalization", "tf.keras.layers.Embedding"),
        *("tf_keras.layers.BatchNormalization", "tf_keras.layers.Embedding"),
    ),
    recipe="layers_and_losses",
)
