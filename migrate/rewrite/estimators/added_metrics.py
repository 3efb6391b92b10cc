r"""Rewrites the function of `add_metrics`, so that Keras metrics keep its totals.

>>> from migrate.rewrite.engine.plan import FilePlan, ProgramFacts
>>> from migrate.rewrite.engine.source_file import SourceFile
>>> text = (
...     "import tensorflow as tf\n"
...     "def rmse(labels, predictions):\n"
...     "    squared = tf.metrics.mean_squared_error(labels, predictions['predictions'])\n"
...     "    return {'mse': squared}\n"
... )
>>> file = SourceFile(text, "", FilePlan(ProgramFacts("v1")))
>>> [edit.text for edit in edits(file, file.tree.body[1])[0]]
['added_metrics.mean_squared_error']
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, input_functions, instances
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices

_Function = ast.FunctionDef | ast.Lambda
_ARGUMENTS = frozenset(("features", "labels", "predictions", "config"))
_BOTH = ("labels", "predictions", "weights")
# Positional parameters of the metrics in modern.porting.added_metrics, up to the last one that
# precedes the collections of tf.metrics.
_POSITIONAL = {
    "accuracy": _BOTH,
    "auc": (*_BOTH, "num_thresholds"),
    "false_negatives": _BOTH,
    "false_positives": _BOTH,
    "mean": ("values", "weights"),
    "mean_absolute_error": _BOTH,
    "mean_iou": ("labels", "predictions", "num_classes", "weights"),
    "mean_relative_error": ("labels", "predictions", "normalizer", "weights"),
    "mean_squared_error": _BOTH,
    "percentage_below": ("values", "threshold", "weights"),
    "precision": _BOTH,
    "recall": _BOTH,
    "root_mean_squared_error": _BOTH,
    "true_negatives": _BOTH,
    "true_positives": _BOTH,
}
_OPTIONS = {"auc": frozenset(("curve", "summation_method"))}
_METHODS = frozenset(("trapezoidal", "careful_interpolation"))
_KERAS = ("tf.keras.metrics.", "tf_keras.metrics.", "tf.metrics.")


def function_of(file: SourceFile, node: ast.expr) -> _Function:
    """Returns the function of a metric_fn.

    Args:
      file: The file.
      node: The argument of `add_metrics`.

    Raises:
      NotUnderstood: It is not a function of this file.
    """
    function = input_functions.function_of(file, node)
    if isinstance(node, ast.Attribute):
        owner = instances.class_of(file, node.value)
        methods = instances.methods(file, owner, node.attr) if owner is not None else []
        is_open = owner is None or instances.is_derived_elsewhere(file, owner)
        function = methods[0] if len(methods) == 1 and not is_open else None
    if function is None:
        raise NotUnderstood(f"its function {ast.unparse(node)[:40]} is not one of this file")
    return function


def edits(file: SourceFile, function: _Function) -> tuple[list[Edit], list[Import]]:
    """Returns the edits of a metric function and of the functions that it calls.

    Other code may still call the new function in a graph.

    Args:
      file: The file.
      function: The function.

    Raises:
      NotUnderstood: A Keras model cannot call the function.
    """
    _check_parameters(file, function)
    module, imports = bridged_configs.module(file, "added_metrics")
    new_edits: list[Edit] = []
    for part in _functions(file, function):
        new_edits += _edits_of_one(file, part, module)
    return new_edits, [*imports] if new_edits else []


def _check_parameters(file: SourceFile, function: _Function) -> None:
    parameters = function.args
    names = [arg.arg for arg in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)]
    names = names[len(_own_object(file, function)) :]
    others = [name for name in names if name not in _ARGUMENTS]
    if others or parameters.vararg or parameters.kwarg or parameters.posonlyargs:
        raise NotUnderstood(f"its function takes {others[0] if others else '*args or **kwargs'}")
    body = function.body if isinstance(function.body, list) else [function.body]
    if "config" in names and "config" in set().union(*map(slices.read, body)):
        raise NotUnderstood("its function reads the RunConfig")


def _own_object(file: SourceFile, function: _Function) -> list[str]:
    """Returns the parameter for the object of a method. Empty for a function."""
    is_method = isinstance(file.parent(function), ast.ClassDef)
    return [arg.arg for arg in function.args.args[:1]] if is_method else []


def _functions(file: SourceFile, function: _Function) -> Iterator[_Function]:
    """Yields a function, and the functions of the file that it calls and that make metrics."""
    visited: list[_Function] = [function]
    for part in visited:
        yield part
        visited += [
            callee
            for _, callee in _calls_of_functions(file, part)
            if callee not in visited and _makes_metrics(file, callee, ())
        ]


def _calls_of_functions(
    file: SourceFile, function: _Function
) -> Iterator[tuple[ast.Call, ast.FunctionDef]]:
    """Yields the calls of functions of the file, with the functions."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        binders = bindings.of_scope(file, node.func)
        if len(binders) == 1 and isinstance(binders[0], ast.FunctionDef):
            yield node, binders[0]


def _makes_metrics(
    file: SourceFile, function: ast.FunctionDef, visited: tuple[ast.FunctionDef, ...]
) -> bool:
    """Says whether a function, or one that it calls, makes metrics."""
    if function in visited:
        return False
    if any(match.name.startswith(_KERAS) for match in checks.names_in(file, function)):
        return True
    callees = [callee for _, callee in _calls_of_functions(file, function)]
    return any(_makes_metrics(file, callee, (*visited, function)) for callee in callees)


def _edits_of_one(file: SourceFile, function: _Function, module: str) -> Iterator[Edit]:
    """Yields the edits of one function.

    Raises:
      NotUnderstood: A Keras model cannot call the function.
    """
    if isinstance(function, ast.FunctionDef) and function.decorator_list:
        raise NotUnderstood(f"its function {function.name} has a decorator")
    of_v1 = {match.node for match in file.v1_names()}
    replaced_ids: set[int] = set()
    for match in checks.names_in(file, function):
        name = match.name.rpartition(".")[2]
        is_metric = match.name == f"tf.metrics.{name}" and name in _POSITIONAL
        if is_metric and match.node in of_v1:
            _check_call(match, name)
            yield from file.replacement(match.node, f"{module}.{name}").edits
        elif match.name.startswith(_KERAS) and name[:1].isupper() and match.call is not None:
            yield _of_class(file, match.call, module)
        else:
            continue
        replaced_ids |= {id(match.node), id(match.call)}
    for call, callee in _calls_of_functions(file, function):
        if _makes_metrics(file, callee, ()):
            replaced_ids.add(id(call))
    for owner in _own_object(file, function):
        _refuse_methods(function, owner)
    local = {module, *_local_names(function)}  # The module, after a change for another Estimator.
    for statement in function.body if isinstance(function.body, list) else [function.body]:
        checks.refuse(file, statement, local, replaced_ids, has_labels=True)


def _refuse_methods(function: _Function, owner: str) -> None:
    """Refuses a method that calls others, which may make metrics."""
    for part in ast.walk(function):
        value = part.func if isinstance(part, ast.Call) else None
        if isinstance(value, ast.Attribute) and ast.unparse(value.value) == owner:
            raise NotUnderstood(f"{ast.unparse(value)}() in line {value.lineno} may make metrics")


def _local_names(function: _Function) -> set[str]:
    parameters = function.args
    names = {arg.arg for arg in (*parameters.args, *parameters.kwonlyargs)}
    return names | (
        slices.bound_inside(function) if isinstance(function, ast.FunctionDef) else set()
    )


def _check_call(match: Match, name: str) -> None:
    """Refuses a call of a metric with arguments that its replacement lacks."""
    args = arguments.bind(match.call, _POSITIONAL[name]) if match.call is not None else None
    if args is None:
        line = match.node.lineno
        raise NotUnderstood(f"the arguments of {match.name} in line {line} are unknown")
    others = {*args} - {*_POSITIONAL[name], "name"} - _OPTIONS.get(name, frozenset())
    method = args.get("summation_method")
    if method is not None and getattr(method, "value", None) not in _METHODS:
        others.add("summation_method")
    if others:
        raise NotUnderstood(
            f"the argument {sorted(others)[0]} of {match.name} in line {match.node.lineno} is not "
            "supported"
        )


def _of_class(file: SourceFile, call: ast.Call, module: str) -> Edit:
    """Returns the edit of a call that makes a Keras metric, which all batches share then."""
    start, end = file.span(call.func)
    opening = file.text.index("(", end) + 1
    text = f"{module}.of_class({file.text[start:end]}"
    rest = file.text[opening : file.span(call)[1]].lstrip()
    return Edit(start, opening, text if rest.startswith(")") else f"{text}, ")


def renamed_argument(file: SourceFile, call: ast.Call) -> tuple[Edit, ...]:
    """Returns the edits of a call whose Estimator is a keyword argument.

    Args:
      file: The file.
      call: Call of `add_metrics`.
    """
    names = [keyword for keyword in call.keywords if keyword.arg == "estimator"]
    starts = [file.span(keyword)[0] for keyword in names]
    return tuple(Edit(start, start + len("estimator"), "model") for start in starts)


def problem_of_names(file: SourceFile, call: ast.Call, receiver: str) -> str:
    """Returns the reason why an Estimator without the metrics may report them too, or "".

    Args:
      file: The file.
      call: Call of `add_metrics`.
      receiver: Text of the Estimator that it takes.
    """
    statement = file.parent(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.Return) or [file.segment(node) for node in targets] == [receiver]:
        return ""
    return f"evaluations of {receiver} also report the metrics of add_metrics in line {call.lineno}"
