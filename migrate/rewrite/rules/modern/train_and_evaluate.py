"""Rewrites train_and_evaluate for a model that Keras trains: its specs, exporters and strategy.

This rule bridges the model_fn. If it has a Keras model, the rules for Keras models rewrite it.
"""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import ESTIMATORS, SourceFile
from migrate.rewrite.estimators import cluster_configs, estimator_jobs
from migrate.rewrite.rules import bridged_models

_NAME = "tf.estimator.train_and_evaluate"
_UNSEEN = "its Estimator is not created in this file"


def _find(file: SourceFile) -> Iterator[Change]:
    classes = (*estimator_classes.WITH_MODEL_FN, *estimator_classes.CANNED)
    yield from estimator_jobs.changes(file, RULE, bridged_models.CARRIER, classes, _is_for)
    yield from cluster_configs.changes(file)
    # Another rule rewrites the Estimators of Keras models.
    classes = (*classes, *estimator_classes.OF_KERAS)
    if any(match.name in classes or match.name.startswith(ESTIMATORS) for match in file.names()):
        return
    for match in file.matches(RULE):
        if match.call is not None and match.name == _NAME:
            yield file.suggestion(match.call, _UNSEEN)


def _is_for(use: EstimatorUse) -> bool:
    return use.is_trained_and_evaluated


RULE = Rule(
    __name__,
    _find,
    message="A Keras model is trained and evaluated in the cluster of TF_CONFIG.",
    source="https://www.tensorflow.org/guide/migrate/evaluator",
    symbols=(_NAME,),
    recipe="evaluator",
    safe=False,
)
