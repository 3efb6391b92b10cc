"""Replaces names in tf that TensorFlow has removed: `tf.contrib.slim` is `tf_contrib.slim`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import legacy_names


def _find(file: SourceFile) -> Iterator[Change]:
    spans = set()
    for _, node, place, text, imports in legacy_names.spellings(file):
        span = file.span(node)
        if span in spans:
            continue
        spans.add(span)
        if isinstance(node, ast.Call) and _is_import_module(node):
            yield file.replacement(node.args[0], f'"{place}"')
        else:
            yield Change(node.lineno, (Edit(*span, text),), imports)

    for match in file.names():
        if legacy_names.is_undecided(file, match) and legacy_names.is_old(match.full_name):
            candidates = " or ".join(sorted({match.full_name, *match.others}))
            reason = f"this is {candidates}, depending on the run: use a separate name for each"
            yield file.suggestion(match.node, reason)


def _is_import_module(node: ast.Call) -> bool:
    return ast.unparse(node.func).endswith("import_module")


RULE = Rule(
    __name__,
    _find,
    message="Names that TensorFlow removed come from legacy, with the same path as below tf.",
    source="https://www.tensorflow.org/guide/migrate/upgrade",
    symbols=("tf.contrib.*", "tf.estimator.*", "tf.examples.*", "tensorflow_estimator.*"),
    recipe="sessions_and_graphs",
)
