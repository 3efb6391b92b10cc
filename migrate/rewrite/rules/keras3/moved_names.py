"""Replaces names of tf_keras that Keras 3 has in another place."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names, places


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, _ in names.of_tf_keras(file):
        new = places.moved(path)
        if new is not None:
            keras, imports = names.keras(file)
            change = file.replacement(match.node, f"{keras}.{new}", imports)
            yield change._replace(needed=True)


RULE = Rule(
    __name__,
    _find,
    message="Layers, losses and schedules that have moved get their names in Keras 3.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=("tf_keras.experimental.*", "tf_keras.layers.experimental.*", "tf_keras.losses.*"),
    recipe="layers_and_losses",
)
