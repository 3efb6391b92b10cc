"""Replaces tf.logging by absl.logging."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_ABSL = Import("absl.logging", "logging")
_SAME = frozenset(
    [
        "debug",
        "info",
        "warn",
        "warning",
        "error",
        "fatal",
        "log",
        "vlog",
        "log_first_n",
        "log_every_n",
        "log_if",
        "get_verbosity",
        "set_verbosity",
        "DEBUG",
        "INFO",
        "WARN",
        "ERROR",
        "FATAL",
    ]
)


_LEVELS = frozenset(f"tf.logging.{name}" for name in ("DEBUG", "INFO", "WARN", "ERROR", "FATAL"))
_SET = "tf.logging.set_verbosity"
# An Estimator, or a function that trains one. TPUEstimator and Experiment are among them.
_ESTIMATOR = re.compile(
    r"tf\.(contrib\.(estimator|learn|tpu)|estimator)\b.*"
    r"(Classifier|Estimator|Experiment|Regressor|train_and_evaluate)"
)
_STAYS = "an Estimator stays, and logs its losses to TensorFlow's log"
_NUMBER = "a level may be a number here, and the numbers of absl differ"
_EFFECT = "messages go to absl's log, and TensorFlow's own log keeps its verbosity"


def _find(file: SourceFile) -> Iterator[Change]:
    matches = [match for match in file.matches(RULE) if match.name.rpartition(".")[2] in _SAME]
    reason = _reason_to_stay(file) if matches else ""
    for match in matches:
        if reason:
            yield file.suggestion(match.node, reason)
            continue
        text = f"{file.module_name(_ABSL)}.{match.name.rpartition('.')[2]}"
        yield file.replacement(match.node, text, (_ABSL,), _EFFECT)


def _reason_to_stay(file: SourceFile) -> str:
    """Returns the reason why the program still needs TensorFlow's log, or ""."""
    for match in file.names():
        if match.call is not None and _ESTIMATOR.fullmatch(match.name):
            return f"{_STAYS} (line {match.node.lineno})"
        levels = match.call.args if match.name == _SET and match.call is not None else ()
        if any(file.name_of(level) not in _LEVELS for level in levels):
            return _NUMBER
    if not file.plan.decisions.trains_keras and any(
        map(_ESTIMATOR.fullmatch, file.plan.names_elsewhere)
    ):
        return f"{_STAYS} in another file"
    return ""


RULE = Rule(
    __name__,
    _find,
    message="absl.logging replaces tf.logging, which TensorFlow 2 removed.",
    source="https://abseil.io/docs/python/guides/logging",
    symbols=("tf.logging.*",),
    recipe="flags_and_app",
    safe=False,
)
