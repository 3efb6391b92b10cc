"""Reads the metrics of the EstimatorSpec of an evaluation.

    metrics = read(file, model_fn, path, spec, streams=True)
    metrics.calls, metrics.streamed

For example, {"acc": tf.metrics.accuracy(labels, classes)} has the call of "acc".
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, OtherMetrics
from migrate.rewrite.model_fns.analysis import dictionaries, resolving, slices
from migrate.rewrite.model_fns.analysis.metrics import functions, kinds, streamed
from migrate.rewrite.model_fns.analysis.metrics.functions import Evaluated
from migrate.rewrite.model_fns.analysis.metrics.streamed import Streamed
from migrate.rewrite.model_fns.analysis.modes import Path
from migrate.rewrite.names import modern_names


class Metrics(NamedTuple):
    """The metrics of an evaluation.

    Attributes:
      calls: Calls that make metrics which Keras has, too, by name.
      tests: Conditions on settings under which these exist, by name.
      streamed: The other metrics, or None if there are none.
      source: The function of a TPUEstimatorSpec that makes them.
    """

    calls: Mapping[str, ast.Call]
    tests: Mapping[str, ast.expr]
    streamed: Streamed | None
    source: Evaluated


def read(
    file: SourceFile,
    function: ast.FunctionDef,
    path: Path,
    spec: dict[str, ast.expr],
    *,
    streams: bool,
) -> Metrics:
    """Returns the metrics of an evaluation.

    Args:
      file: The file.
      function: The model_fn.
      path: Its path through an evaluation.
      spec: Arguments of the EstimatorSpec.
      streams: Whether functions may make metrics that Keras does not have.

    Raises:
      NotUnderstood: Metrics cannot be followed. It is an OtherMetrics if a function may make them.
    """
    try:
        source = functions.read(file, function, path, spec)
    except NotUnderstood as error:
        if not streams:
            raise OtherMetrics(str(error)) from error
        call = functions.call_of_tpu(path, spec["eval_metrics"])
        if call is None:
            raise
        others = streamed.read(file, function, path, call, str(error))
        return Metrics({}, {}, others, Evaluated(None))
    if source.metrics is None:
        return Metrics({}, {}, None, source)
    path = source.after(path)
    try:
        values, tests = _values(path, source.metrics)
    except NotUnderstood as error:
        if not streams:
            raise OtherMetrics(str(error)) from error
        others = streamed.read(file, function, path, source.metrics, str(error))
        return Metrics({}, {}, others, source)
    calls, problems = _calls(file, path, values)
    if not problems:
        return Metrics(calls, tests, None, source)
    reason = next(iter(problems.values()))
    if not streams:
        raise OtherMetrics(reason)
    if tests.keys() & problems.keys():
        raise NotUnderstood(reason)
    selected = {name: values[name] for name in problems}
    others = streamed.read(file, function, path, selected, reason)
    # A metric may compute with the totals of another one, as F1 does with those of precision.
    used_ids = {id(statement) for statement in others.statements}
    shared = {name for name, call in calls.items() if id(file.statement(call)) in used_ids}
    if shared:
        selected = {name: value for name, value in values.items() if name in {*problems, *shared}}
        others = streamed.read(file, function, path, selected, reason)
    rest = {name: call for name, call in calls.items() if name not in shared}
    return Metrics(rest, tests, others, source)


def _calls(
    file: SourceFile, path: Path, values: Mapping[str, ast.expr]
) -> tuple[dict[str, ast.Call], dict[str, str]]:
    """Returns the calls of metrics that Keras has, and the reasons why it lacks the others."""
    calls: dict[str, ast.Call] = {}
    problems: dict[str, str] = {}
    for name, value in values.items():
        call = _unpacked_call(path, value) or value
        function_name = file.name_of(call.func) if isinstance(call, ast.Call) else None
        problem = kinds.problem(name, function_name or "", call)
        if isinstance(call, ast.Call) and not problem:
            calls[name] = call
        else:
            problems[name] = problem
    return calls, problems


def _values(path: Path, node: ast.expr) -> tuple[dict[str, ast.expr], dict[str, ast.expr]]:
    """Returns the metrics of a dictionary, and the conditions under which they exist."""
    values: dict[str, ast.expr] = {}
    tests: dict[str, ast.expr] = {}
    for name, value in dictionaries.values(path, node, "eval_metric_ops").items():
        while isinstance(value, ast.IfExp) and modern_names.is_constant(value.orelse, None):
            test = tests.setdefault(name, value.test)
            if ast.unparse(test) != ast.unparse(value.test):
                raise NotUnderstood(f"its metric {name!r} has several conditions")
            value = resolving.resolved(path, value.body)
        values[name] = value
    return values, tests


def _unpacked_call(path: Path, node: ast.expr) -> ast.Call | None:
    """Returns the call whose results are unpacked into a pair `(value, update)`, or None."""
    if not isinstance(node, ast.Tuple) or not all(
        isinstance(element, ast.Name) for element in node.elts
    ):
        return None
    names = {element.id for element in node.elts if isinstance(element, ast.Name)}
    binders = [statement for statement in path.statements if names & slices.bound(statement)]
    binder = binders[0] if len(binders) == 1 else None
    if not isinstance(binder, ast.Assign) or not isinstance(binder.value, ast.Call):
        return None
    (target, *others) = binder.targets
    is_pair = not others and ast.unparse(target) == ast.unparse(node)
    return binder.value if is_pair else None
