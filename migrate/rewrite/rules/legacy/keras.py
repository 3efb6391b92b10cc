"""Turns `import keras` of an Estimator-era program into the Keras of TensorFlow, not Keras 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old or "keras" in file.plan.local_modules:
        return
    tensorflow = "tensorflow.compat.v1" if file.plan.program.api == "v1" else "tensorflow"
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom) and _is_keras(node.module) and not node.level:
            start = file.span(node)[0] + file.segment(node).index("keras")
            yield Change(node.lineno, (Edit(start, start, f"{tensorflow}."),))
        elif isinstance(node, ast.Import) and len(node.names) == 1:
            alias = node.names[0]
            if not _is_keras(alias.name):
                continue
            if alias.asname and "." in alias.name:
                start = file.span(alias)[0]
                yield Change(node.lineno, (Edit(start, start, f"{tensorflow}."),))
            else:
                suffix = f" as {alias.asname}" if alias.asname else ""
                yield file.replacement(node, f"from {tensorflow} import keras{suffix}")


def _is_keras(module: str | None) -> bool:
    return (module or "").partition(".")[0] == "keras"


RULE = Rule(
    __name__,
    _find,
    message="tf.keras, which is Keras 2 with legacy, replaces the package keras, which is Keras 3.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=("keras.*",),
    recipe="layers_and_losses",
)
