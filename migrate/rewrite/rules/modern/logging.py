"""Replaces tf.logging by absl.logging."""

from __future__ import annotations

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


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        name = match.name.rpartition(".")[2]
        if name in _SAME:
            yield file.replacement(
                match.node,
                f"{file.module_name(_ABSL)}.{name}",
                (_ABSL,),
                "messages go to absl's log, and TensorFlow's own log keeps its verbosity",
            )


RULE = Rule(
    __name__,
    _find,
    message="absl.logging replaces tf.logging, which TensorFlow 2 removed.",
    source="https://abseil.io/docs/python/guides/logging",
    symbols=("tf.logging.*",),
    recipe="flags_and_app",
    safe=False,
)
