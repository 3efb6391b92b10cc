"""Reasons why a program may compute other results after its Estimators are replaced.

reasons = [*equivalence_problems.problems(file, job)]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from migrate.rewrite.analysis import estimator_classes, input_functions, v2_switches
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.sessions import session_code

if TYPE_CHECKING:
    from migrate.rewrite.analysis.estimator_uses import EstimatorUse
    from migrate.rewrite.estimators.estimator_jobs import Job

ELSEWHERE = "all files that share this Estimator change together"
_GRAPH = (
    "Keras needs TensorFlow 2 behavior, so disable_v2_behavior is removed, and other code that "
    "needs graphs or sessions may fail"
)
_CLUSTER = "with TF_CONFIG set, each task would train alone: create the model in a strategy's scope"
_ENDS = (
    "in a cluster with parameter servers, a worker exits after the training, while an Estimator "
    "continued the program"
)
_SHARED = "another Estimator has the same model_dir, and each loaded the other's latest checkpoint"
_IMPORTED = "another file may import it by its name"
_SESSIONS = "session code of other files gets graphs of its own"
_SUMMARIES = ("tf.summary.", "tf.contrib.summary.")
_TENSORBOARD = "Keras' TensorBoard callback writes only the loss and metrics"
_WATCHES = "its evaluation loop loaded the latest checkpoint of another process each time"


def sessions(file: SourceFile) -> str:
    """Returns the reason why a file or its program needs graphs in any case, or ""."""
    return session_code.problem(file) or file.plan.decisions.sessions_elsewhere


def seeded_order(file: SourceFile) -> str:
    """Returns the reason why Keras reads the data of a file in another order, or "".

    `fit` requests an iterator of a dataset twice before the first epoch. Each iterator has a new
    shuffle order, even with a seed.
    """
    for node in file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            names = {keyword.arg for keyword in node.keywords}
            is_seeded = len(node.args) > 1 or "seed" in names
            if node.func.attr == "shuffle" and is_seeded:
                return (
                    "Keras' fit starts the data twice, so the shuffle with a seed in line "
                    f"{node.lineno} gives another order"
                )
    return ""


def summaries(file: SourceFile, job: Job) -> str:
    """Returns a note on the summaries that a model_fn loses, or "" if none are found."""
    node = job.arguments.get("model_fn")
    function = input_functions.function_of(file, node) if node is not None else None
    inside = {id(part) for part in ast.walk(function)} if function is not None else set()
    matches = (match for match in file.names() if id(match.node) in inside)
    lines = [match.node.lineno for match in matches if match.name.startswith(_SUMMARIES)]
    silent_functions = file.plan.decisions.silent_functions
    lines += [
        node.lineno
        for node, name in file.imported_names.items()
        if name in silent_functions and id(node) in inside and isinstance(node, ast.expr)
    ]
    return f"its summaries (line {min(lines)}) are lost: {_TENSORBOARD}" if lines else ""


def problems(file: SourceFile, job: Job) -> Iterator[str]:
    """Yields each reason why results may differ."""
    if file.plan.program.api == "v1" or v2_switches.find(file):
        yield _GRAPH
    if file.plan.decisions.changes_sessions:
        yield _SESSIONS
    if job.use.exported_functions:
        yield ELSEWHERE
    if job.distributes(file):
        yield _ENDS
    elif "TF_CONFIG" in file.text:
        yield _CLUSTER
    if job.config.problem:
        yield job.config.problem
    if file.plan.is_shared and file.function(job.construction.statement) is None:
        yield _IMPORTED
    classes = (
        *estimator_classes.CANNED,
        *estimator_classes.WITH_MODEL_FN,
        *estimator_classes.OF_KERAS,
    )
    folders = [_folder(match) for match in file.names() if match.name in classes]
    if job.model_dir and folders.count(_folder(job.match)) > 1:
        yield _SHARED
    calls = {method_call.method: method_call.call for method_call in job.use.calls}
    evaluated = calls.get("evaluate")
    if "train" not in calls and evaluated and bindings.is_repeated(file, evaluated):
        yield _WATCHES


def shown(use: EstimatorUse) -> str:
    """Returns a note on the lines that print Estimators, or "" if there are none.

    Args:
      use: Uses of the Estimators.
    """
    return f"line {use.shown[0]} prints a model instead of the Estimator" if use.shown else ""


def _folder(match: Match) -> str:
    """Returns the text of the expression that sets the folder of an Estimator."""
    args = estimator_classes.arguments_of(match) or {}
    node = args.get("model_dir") or args.get("config")
    return ast.unparse(node) if node is not None else f"line {match.node.lineno}"
