"""Replaces functions of keras.backend, which Keras 3 has in keras.ops."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import calls, names
from migrate.rewrite.keras3.backend_functions import FUNCTIONS


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, _ in names.of_tf_keras(file):
        name = path.removeprefix("backend.")
        if name == path or name not in FUNCTIONS or match.call is None:
            continue
        code = calls.replaced(file, match, FUNCTIONS[name])
        if not code.text:
            yield file.suggestion(match.call, code.reason)._replace(needed=True)
            continue
        change = file.replacement(match.call, code.text, code.imports, code.reason)
        yield change._replace(needed=True)


RULE = Rule(
    __name__,
    _find,
    message="keras.ops replaces functions of keras.backend.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=tuple(f"tf_keras.backend.{name}" for name in sorted(FUNCTIONS)),
    recipe="layers_and_losses",
)
