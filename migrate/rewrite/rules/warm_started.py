"""Finds Estimators that start from the checkpoint of another Estimator, and cannot read Keras'.

carrier = Carrier(model, "porting", blocker=warm_started.blocker)

A model reads both kinds of checkpoints. An Estimator, and the model of the bridge, read variables
by the names of an Estimator's variables alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes, estimator_uses
from migrate.rewrite.canned import canned_models
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.estimators import estimator_jobs, warm_starts
from migrate.rewrite.model_fns import of_estimators
from migrate.rewrite.names import modern_names

_ARGUMENT = "warm_start_from"


def blocker(file: SourceFile, rule: Rule) -> str:
    """Returns the reason why an Estimator of a file needs checkpoints of Estimators, or "".

    Args:
      file: The file.
      rule: The rule that replaces another Estimator. A comment may exclude lines from it.
    """
    return next(_reasons(file, rule), "")


def _reasons(file: SourceFile, rule: Rule) -> Iterator[str]:
    """Yields the reason for each Estimator that starts from another, and stays an Estimator."""
    calls: set[ast.Call] = set()
    for match in file.v1_names():
        if match.call is None or not estimator_uses.is_estimator(file, match.call):
            continue
        calls.add(match.call)
        reason = _reason_of(file, match, rule)
        if reason:
            yield (
                f"the Estimator in line {match.call.lineno} reads the checkpoint of another by "
                f"{_ARGUMENT}, and cannot read that of a Keras model: {reason}"
            )
    for node in file.nodes:
        if not isinstance(node, ast.Call) or node in calls or _is_own_function(file, node):
            continue
        for keyword in node.keywords:
            if keyword.arg == _ARGUMENT and not modern_names.is_constant(keyword.value, None):
                yield (
                    f"{_ARGUMENT} in line {keyword.value.lineno} reads the checkpoint of another "
                    "Estimator, and may not read that of a Keras model"
                )


def _is_own_function(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call is one of a function or class of the file."""
    binders = bindings.of_scope(file, call.func) if isinstance(call.func, ast.Name) else []
    return len(binders) == 1 and isinstance(binders[0], (ast.FunctionDef, ast.ClassDef))


def _reason_of(file: SourceFile, match: Match, rule: Rule) -> str:
    """Returns the reason why an Estimator that starts from a checkpoint stays, or ""."""
    is_known = match.name in (*estimator_classes.CANNED, *estimator_classes.WITH_MODEL_FN)
    if not is_known or match.call is None:
        names = {keyword.arg for keyword in match.call.keywords} if match.call else set()
        return "its class is not rewritten" if _ARGUMENT in names else ""
    args = estimator_classes.arguments_of(match)
    if args is None or _ARGUMENT not in estimator_uses.without_none(args):
        return ""
    start = warm_starts.read(file, args[_ARGUMENT])
    job = estimator_jobs.job_of(file, match, canned_models.CARRIER)
    for problem in (start, job):
        if isinstance(problem, str):
            return problem
    assert not isinstance(job, str)
    if file.ignores(rule, match.call.lineno):
        return "a comment excludes it"
    if match.name in estimator_classes.CANNED:
        reason = canned_models.reason(file, job)
    else:
        model = of_estimators.read(file, job)
        reason = model if isinstance(model, str) else ""
    return reason or estimator_jobs.refused_of(file, job, "porting")
