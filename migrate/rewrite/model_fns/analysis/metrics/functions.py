"""Follows the function that returns the metrics of a TPUEstimatorSpec.

    evaluated = read(file, model_fn, path, spec)

For example, `eval_metrics` is `(metric_fn, [labels, logits])`. The statements of `metric_fn` follow
those of the path through an evaluation.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import Path
from migrate.rewrite.model_fns.analysis.resolving import resolved

_UNKNOWN_NAMES = "the names of the arguments of its metrics are unknown"


class Evaluated(NamedTuple):
    """The metrics of a model_fn.

    Attributes:
      metrics: Expression of the dictionary of metrics. None without metrics.
      statements: Statements of the function that returns the metrics. Empty without a function.
      parameter_values: Arguments of the function in the model_fn, by parameter.
    """

    metrics: ast.expr | None
    statements: list[ast.stmt] = []
    parameter_values: Mapping[str, ast.expr] = types.MappingProxyType({})

    def after(self, path: Path) -> Path:
        """Returns a path with the statements of the function at its end."""
        return Path([*path.statements, *self.statements], path.result)


def names_outside(names: Collection[str], parameter_values: Mapping[str, ast.expr]) -> set[str]:
    """Returns the names of a model_fn that a function reads, directly or through its arguments.

    Args:
      names: Names that the function reads.
      parameter_values: Arguments of the function, by parameter.
    """
    values = (slices.read(parameter_values[name]) for name in names if name in parameter_values)
    return {name for name in names if name not in parameter_values}.union(*values)


def read(
    file: SourceFile, model_fn: ast.FunctionDef, path: Path, spec: dict[str, ast.expr]
) -> Evaluated:
    """Returns the metrics of a model_fn, which a function of a TPUEstimatorSpec may return.

    Args:
      file: The file.
      model_fn: The model_fn.
      path: Path of the model_fn through an evaluation.
      spec: Arguments of the EstimatorSpec, or of the TPUEstimatorSpec.

    Raises:
      NotUnderstood: The statements of the function cannot be followed.
    """
    if "eval_metrics" not in spec:
        return Evaluated(spec.get("eval_metric_ops"))
    function_node, arguments = _of_tpu(path, spec["eval_metrics"])
    function = input_functions.function_of(file, function_node)
    text = ast.unparse(function_node)
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)) or arguments is None:
        raise NotUnderstood(f"its metrics come from {text}, which is not a function of this file")
    body: list[ast.stmt] = _body(function)
    *statements, last = body
    is_plain = all(isinstance(statement, (ast.Assign, ast.Expr)) for statement in statements)
    if not is_plain or not isinstance(last, ast.Return) or last.value is None:
        raise NotUnderstood(f"the metrics of {text}() may depend on a condition")
    assignments: list[ast.stmt] = [
        statement for statement in statements if isinstance(statement, ast.Assign)
    ]
    values = _values(function, slices.open_names(body), arguments, text)
    _check_names(file, model_fn, function, assignments, values)
    return Evaluated(last.value, assignments, values)


def call_of_tpu(path: Path, node: ast.expr) -> ast.Call | None:
    """Returns the call that makes the metrics of a TPUEstimatorSpec. None if it is not known.

    Args:
      path: Path of the model_fn through an evaluation.
      node: The argument `eval_metrics`.
    """
    function, arguments = _of_tpu(path, node)
    if arguments is None or not isinstance(function, (ast.Name, ast.Attribute)):
        return None
    positional = [value for name, value in arguments.items() if name.isdigit()]
    keywords = [ast.keyword(name, value) for name, value in arguments.items() if not name.isdigit()]
    return ast.Call(function, positional, keywords)


def _body(function: ast.FunctionDef | ast.Lambda) -> list[ast.stmt]:
    return [ast.Return(function.body)] if isinstance(function, ast.Lambda) else function.body


def _values(
    function: ast.FunctionDef | ast.Lambda,
    names: Collection[str],
    arguments: Mapping[str, ast.expr],
    text: str,
) -> dict[str, ast.expr]:
    """Returns the values of the parameters that a function reads."""
    values = {}
    for i, name in enumerate(input_functions.parameters(function)):
        value = arguments.get(str(i), arguments.get(name))
        if value is None and name in names:
            raise NotUnderstood(f"{text}() has no value for {name}")
        if value is not None and name in names:
            values[name] = value
    return values


def _check_names(
    file: SourceFile,
    model_fn: ast.FunctionDef,
    function: ast.FunctionDef | ast.Lambda,
    statements: Sequence[ast.stmt],
    values: Mapping[str, ast.expr],
) -> None:
    """Refuses a function whose names mean something else at the end of the model_fn."""
    bound_names = set().union(*map(slices.bound, statements))
    names_read = set().union(*map(slices.read, values.values())) if values else set()
    unchanged = {name for name, value in values.items() if ast.unparse(value) == name}
    conflicts = bound_names & (names_read | {*values}) - unchanged
    if file.function(function) is not model_fn:
        local = slices.bound_inside(model_fn) | {"features", "labels", "mode", "params"}
        conflicts |= slices.open_names(_body(function)) & local - {*values}
    if conflicts:
        raise NotUnderstood(
            f"{sorted(conflicts)[0]} has another meaning in the function of its metrics"
        )


def _of_tpu(path: Path, node: ast.expr) -> tuple[ast.expr, dict[str, ast.expr] | None]:
    """Returns the function of a TPUEstimatorSpec's metrics, and its arguments."""
    pair = resolved(path, node)
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
        raise NotUnderstood("its eval_metrics are not a function and its arguments")
    function, tensors = pair.elts[0], resolved(path, pair.elts[1])
    if isinstance(tensors, (ast.List, ast.Tuple)):
        if any(isinstance(value, ast.Starred) for value in tensors.elts):
            raise NotUnderstood(_UNKNOWN_NAMES)
        return function, {str(i): value for i, value in enumerate(tensors.elts)}
    if not isinstance(tensors, ast.Dict):
        return function, None
    arguments: dict[str, ast.expr] = {}
    for key, value in zip(tensors.keys, tensors.values, strict=True):
        name = resolved(path, key) if key is not None else None
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            raise NotUnderstood(_UNKNOWN_NAMES)
        arguments[name.value] = value
    return function, arguments
