"""Follows the function that returns the metrics of a TPUEstimatorSpec.

    evaluated = read(file, model_fn, path, spec)

For example, they are `(metric_fn, [labels, logits])`. The statements of `metric_fn` then come at
the end of the path through an evaluation.
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


class Evaluated(NamedTuple):
    """The metrics of a model_fn.

    Attributes:
      metrics: Expression of the dictionary of metrics. None if there are none.
      statements: Statements of the function that returns them, if there is one.
      given: Values of the parameters of that function in the model_fn.
    """

    metrics: ast.expr | None
    statements: list[ast.stmt] = []
    given: Mapping[str, ast.expr] = types.MappingProxyType({})

    def after(self, path: Path) -> Path:
        """Returns a path with the statements of the function at its end."""
        return Path([*path.statements, *self.statements], path.returned)


def names_outside(names: Collection[str], given: Mapping[str, ast.expr]) -> set[str]:
    """Returns the names of a model_fn that a part with a function reads.

    Args:
      names: Names that the part reads.
      given: Values of the parameters of the function.
    """
    values = (slices.read(given[name]) for name in names if name in given)
    return {name for name in names if name not in given}.union(*values)


def read(
    file: SourceFile, model_fn: ast.FunctionDef, path: Path, spec: dict[str, ast.expr]
) -> Evaluated:
    """Returns the metrics of a model_fn, also if a function of a TPUEstimatorSpec returns them.

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
    called, given = _of_tpu(path, spec["eval_metrics"])
    function = input_functions.function_of(file, called)
    said = ast.unparse(called)
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)) or given is None:
        raise NotUnderstood(f"its metrics come from {said}, which is not a function of this file")
    body: list[ast.stmt] = _body(function)
    *statements, last = body
    is_plain = all(isinstance(one, (ast.Assign, ast.Expr)) for one in statements)
    if not is_plain or not isinstance(last, ast.Return) or last.value is None:
        raise NotUnderstood(f"the metrics of {said}() may depend on a condition")
    assignments: list[ast.stmt] = [one for one in statements if isinstance(one, ast.Assign)]
    values = _values(function, slices.open_names(body), given, said)
    _check_names(file, model_fn, function, assignments, values)
    return Evaluated(last.value, assignments, values)


def _body(function: ast.FunctionDef | ast.Lambda) -> list[ast.stmt]:
    return [ast.Return(function.body)] if isinstance(function, ast.Lambda) else function.body


def _values(
    function: ast.FunctionDef | ast.Lambda,
    names: Collection[str],
    given: Mapping[str, ast.expr],
    said: str,
) -> dict[str, ast.expr]:
    """Returns the values of the parameters that a function reads."""
    found = {}
    for i, name in enumerate(input_functions.parameters(function)):
        value = given.get(str(i), given.get(name))
        if value is None and name in names:
            raise NotUnderstood(f"{said}() has no value for {name}")
        if value is not None and name in names:
            found[name] = value
    return found


def _check_names(
    file: SourceFile,
    model_fn: ast.FunctionDef,
    function: ast.FunctionDef | ast.Lambda,
    statements: Sequence[ast.stmt],
    values: Mapping[str, ast.expr],
) -> None:
    """Refuses a function whose names mean something else at the end of the model_fn."""
    bound = set().union(*map(slices.bound, statements))
    read = set().union(*map(slices.read, values.values())) if values else set()
    same = {name for name, value in values.items() if ast.unparse(value) == name}
    taken = bound & (read | {*values}) - same
    if file.function(function) is not model_fn:
        local = slices.bound_inside(model_fn) | {"features", "labels", "mode", "params"}
        taken |= slices.open_names(_body(function)) & local - {*values}
    if taken:
        raise NotUnderstood(
            f"{sorted(taken)[0]} has another meaning in the function of its metrics"
        )


def _of_tpu(path: Path, node: ast.expr) -> tuple[ast.expr, dict[str, ast.expr] | None]:
    """Returns the function of a TPUEstimatorSpec's metrics, and its arguments."""
    pair = resolved(path, node)
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
        raise NotUnderstood("its eval_metrics are not a function and its arguments")
    called, tensors = pair.elts[0], resolved(path, pair.elts[1])
    if isinstance(tensors, (ast.List, ast.Tuple)):
        return called, {str(i): value for i, value in enumerate(tensors.elts)}
    if not isinstance(tensors, ast.Dict):
        return called, None
    keys = [one.value if isinstance(one, ast.Constant) else None for one in tensors.keys]
    return called, dict(zip(map(str, keys), tensors.values, strict=True))
