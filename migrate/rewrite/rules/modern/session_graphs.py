"""Gives the sessions of a program graphs of their own, if it trains with Keras."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.sessions import session_code

_HELPERS = ("as_estimator", "porting")


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.decisions.trains_keras and not bridged_configs.imports(file, _HELPERS):
        return
    if problem := session_code.problem(file):
        yield Change(_line(file, problem), unsafe=problem)
        return
    edits, imports, effect = session_code.edits(file)
    if edits:
        yield Change(_line(file), tuple(edits), imports, effect)


def _line(file: SourceFile, problem: str = "") -> int:
    """Returns the first line of session code that needs a change, or that has a problem."""
    codes = [code for code in session_code.read(file) if code.problem == problem]
    return min(code.match.node.lineno for code in codes if code.statements or problem)


RULE = Rule(
    __name__,
    _find,
    message="Session code gets a graph of its own, because operations outside of a graph are "
    "executed at once without disable_v2_behavior.",
    source="https://www.tensorflow.org/guide/migrate/tf1_vs_tf2",
    # Not tf.Session: the scan would suggest it, but only programs with Estimators change.
    symbols=("tf.Session.graph",),
    recipe="sessions_and_graphs",
    safe=False,
)
