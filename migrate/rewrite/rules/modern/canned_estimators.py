"""Trains the model_fn of a canned Estimator with Keras, through the bridge, in its model_dir."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.rules import bridged_models


def _find(file: SourceFile) -> Iterator[Change]:
    carrier, classes = bridged_models.CARRIER, estimator_classes.CANNED
    yield from estimator_jobs.changes(file, RULE, carrier, classes, _is_for)
    for match in file.names():
        name = match.name
        is_canned = estimator_classes.is_of_learn(name) and not name.endswith(".Estimator")
        if match.call is not None and is_canned:
            yield file.suggestion(match.call, estimator_classes.problem_of_learn(name))


def _is_for(use: EstimatorUse) -> bool:
    return not use.is_trained_and_evaluated  # The rule train_and_evaluate covers those.


RULE = Rule(
    __name__,
    _find,
    message="Keras trains the model_fn of a canned Estimator, in the same model_dir.",
    source="https://www.tensorflow.org/guide/migrate/canned_estimators",
    symbols=estimator_classes.CANNED,
    recipe="canned_estimators",
    safe=False,
)
