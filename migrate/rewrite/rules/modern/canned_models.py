"""Replaces canned Estimators with known columns by Keras models with preprocessing layers."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.canned import canned_models
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.rules import warm_started


def _find(file: SourceFile) -> Iterator[Change]:
    carrier = canned_models.CARRIER._replace(blocker=warm_started.blocker)
    yield from estimator_jobs.changes(file, RULE, carrier, canned_models.NAMES)


RULE = Rule(
    __name__,
    _find,
    message="A Keras model with preprocessing layers replaces a canned Estimator and its columns.",
    source="https://www.tensorflow.org/guide/migrate/canned_estimators",
    symbols=canned_models.NAMES,
    recipe="canned_estimators",
    safe=False,
    instead_of=("canned_estimators", "train_and_evaluate"),
)
