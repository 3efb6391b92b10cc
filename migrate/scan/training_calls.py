"""Calls that train or use a model: those of Estimators, of functions that run them, of sessions.

training_calls.find(["tf.estimator.DNNClassifier"], facts)  # ["tf.estimator.DNNClassifier"]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate.scan import reading

_ESTIMATORS = re.compile(
    r"^tf\.(estimator|contrib\.(learn|estimator|tpu|boosted_trees|timeseries|tensor_forest|"
    r"factorization|kernel_methods))\.(experimental\.|tpu\.|random_forest\.)?"
    r"(?!Experiment$)(\w*(Estimator|Classifier|Regressor|KMeansClustering|KMeans|LinearSDCA|SVM))$"
)
_FROM_KERAS = ("tf.keras.estimator.model_to_estimator",)
SESSIONS = frozenset(
    f"tf.{name}"
    for name in (
        "Session",
        "InteractiveSession",
        "train.MonitoredTrainingSession",
        "train.MonitoredSession",
        "train.SingularMonitoredSession",
        "train.Supervisor",
    )
)
# Calls that tell a job with a session from a tool that only reads data.
_TRAINS = re.compile(r"(Optimizer|\.optimize_loss|\.learning\.train|\.create_train_op)$")
_TRAINING_SESSIONS = ("tf.train.MonitoredTrainingSession", "tf.train.Supervisor")
# Functions that run an Estimator, which may be created in another file.
RUNNERS = frozenset(
    (
        "tf.estimator.train_and_evaluate",
        "tf.contrib.learn.Experiment",
        "tf.contrib.learn.learn_runner.run",
    )
)
UNSEEN_ESTIMATOR = "an Estimator that other files create"


def find(called_names: Sequence[str], facts: Sequence[reading.Facts]) -> list[str]:
    """Returns the Estimators of a program, or a function that runs others', or its sessions.

    Args:
      called_names: Public names that the program calls.
      facts: Facts on its files.

    Returns:
      Names, and `UNSEEN_ESTIMATOR` if the program runs an Estimator that it does not create. Empty
      if the program neither trains nor uses a model.
    """
    estimators = []
    if _runs_estimators(facts, called_names):
        estimators = [
            name for name in called_names if _ESTIMATORS.search(name) or name in _FROM_KERAS
        ]
    return estimators or _runners(called_names, facts) or _sessions(called_names, facts)


def _runs_estimators(facts: Sequence[reading.Facts], called_names: Sequence[str]) -> bool:
    """Returns whether a program runs an Estimator. A converter may only import or extend one."""
    methods = {method for fact in facts for method in fact.methods}
    # A module that calls its functions when it is imported creates what they create.
    is_set_up = any(fact.calls_own for fact in facts)
    return is_set_up or bool(
        methods - {"minimize", "apply_gradients"} or RUNNERS & set(called_names)
    )


def _runners(names: Sequence[str], facts: Sequence[reading.Facts]) -> list[str]:
    """Returns the functions that run an Estimator in a program that does not visibly create one."""
    runners = [name for name in names if name in RUNNERS]
    methods = {method for fact in facts for method in fact.methods}
    # Only methods of an Estimator take an input_fn.
    takes_input_fn = any("input_fn" in fact.functions for fact in facts)
    runs = (
        takes_input_fn and bool({"train", "evaluate", "predict", "fit"} & methods) and bool(names)
    )
    return runners or [UNSEEN_ESTIMATOR] * runs


def _sessions(names: Sequence[str], facts: Sequence[reading.Facts]) -> list[str]:
    """Returns the sessions that train in a program without an Estimator."""
    methods = {method for fact in facts for method in fact.methods}
    trains = any(_TRAINS.search(name) or name in _TRAINING_SESSIONS for name in names)
    if trains or {"minimize", "apply_gradients"} & methods:
        return [name for name in names if name in SESSIONS]
    return []
