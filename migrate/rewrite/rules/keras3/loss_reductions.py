"""Replaces the reductions of losses by their strings."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names

_STRINGS = {
    "AUTO": "sum_over_batch_size",
    "NONE": "none",
    "SUM": "sum",
    "SUM_OVER_BATCH_SIZE": "sum_over_batch_size",
}


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, _ in names.of_tf_keras(file):
        name = path.removeprefix("losses.Reduction.")
        if name != path and name in _STRINGS:
            yield file.replacement(match.node, f'"{_STRINGS[name]}"')._replace(needed=True)
        elif path == "losses.Reduction":
            reason = "Keras 3 has no class of reductions, but strings"
            yield file.suggestion(match.node, reason)._replace(needed=True)


RULE = Rule(
    __name__,
    _find,
    message="Strings replace the members of keras.losses.Reduction.",
    source="https://keras.io/api/losses/",
    symbols=("tf_keras.losses.Reduction.*",),
    recipe="layers_and_losses",
)
