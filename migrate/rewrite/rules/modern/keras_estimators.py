"""Replaces `model_to_estimator`: trains, evaluates and exports the Keras model directly."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, estimator_classes
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.estimators.estimator_jobs import Carrier, Job, Model
from migrate.rewrite.rules import warm_started

_CHECKPOINTS = (
    "a Keras model has other checkpoints: convert those of the Estimator (python -m migrate "
    "checkpoint convert)"
)
_CLUSTER = "# migrate: in a cluster, create the strategy before all other TensorFlow objects"


def _find(file: SourceFile) -> Iterator[Change]:
    carrier = Carrier(_model, "porting", blocker=warm_started.blocker)
    yield from estimator_jobs.changes(file, RULE, carrier, estimator_classes.OF_KERAS)


def _model(file: SourceFile, rule: Rule, job: Job) -> Model | str:
    names = sorted(set(job.arguments) - {"keras_model", "model_dir", "config", "checkpoint_format"})
    if names:
        return (
            f"the argument {names[0]} of model_to_estimator has no counterpart: set it on the "
            "Keras model"
        )
    porting, imports = bridged_configs.module(file, "porting")
    text = f"{porting}.from_keras({file.segment(job.arguments['keras_model'])})"
    comment = _CLUSTER if job.distributes(file) else ""
    return Model(text, imports, comment, problem=_CHECKPOINTS)


RULE = Rule(
    __name__,
    _find,
    message="A Keras model trains directly, without model_to_estimator.",
    source="https://www.tensorflow.org/api_docs/python/tf/keras/estimator/model_to_estimator",
    symbols=(
        "tf.keras.estimator.model_to_estimator",
        *estimator_classes.OF_KERAS,
    ),
    recipe="custom_model_fn",
    safe=False,
)
