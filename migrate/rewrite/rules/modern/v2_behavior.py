"""Removes disable_v2_behavior from files that no longer need it."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import v2_switches
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.rules import graph_names

_ELSEWHERE = "it affects the whole program, and another file may need graphs"
_KERAS = "another file of the program trains with Keras, which needs TensorFlow 2 behavior"


def _find(file: SourceFile) -> Iterator[Change]:
    matches = v2_switches.find(file)
    edits, imports = v2_switches.without(file)
    if not edits:
        return
    if file.plan.decisions.trains_keras:
        # Its position does not matter, because it affects all files of the program.
        yield Change(matches[0].node.lineno, edits, imports, _KERAS)
        return
    if graph_names.reason_to_stay(file):
        return
    yield Change(matches[0].node.lineno, edits, imports, _ELSEWHERE)


RULE = Rule(
    __name__,
    _find,
    message="disable_v2_behavior is removed when nothing needs graphs any longer.",
    source="https://www.tensorflow.org/guide/migrate/tf1_vs_tf2",
    symbols=("tf.disable_v2_behavior", "tf.disable_eager_execution"),
    recipe="sessions_and_graphs",
    safe=False,
)
