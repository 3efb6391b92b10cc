"""Canned Estimators whose columns are seen: Keras models, with preprocessing layers in them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite import canned_models, carried_jobs
from migrate.rewrite.rule import Change, Rule
from migrate.rewrite.source_file import SourceFile


def _find(file: SourceFile) -> Iterator[Change]:
    yield from carried_jobs.changes(file, RULE, canned_models.CARRIER)


RULE = Rule(
    __name__,
    _find,
    message="A canned Estimator is a Keras model with layers for its feature columns.",
    source="https://www.tensorflow.org/guide/migrate/canned_estimators",
    symbols=canned_models.NAMES,
    recipe="canned_estimators",
    examples=(),
    unchanged=(),
    safe=False,
    instead_of=("canned_estimators",),
)
