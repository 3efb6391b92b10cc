r"""Checks the function of `add_metrics`, which a Keras model runs as it is.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("def f(labels, config):\n    return {'a': config.x}\nmetric_fn = f\n")
>>> problem(file, file.tree.body[1].value)
'its function reads the RunConfig'
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import input_functions, instances
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile

_ARGUMENTS = frozenset(("features", "labels", "predictions", "config"))


def problem(file: SourceFile, node: ast.expr) -> str:
    """Returns the reason why a Keras model cannot call a metric_fn, or "".

    Args:
      file: The file.
      node: The argument of `add_metrics`. Only a run knows functions of other files.
    """
    function = input_functions.function_of(file, node)
    if isinstance(node, ast.Attribute):
        owner = instances.class_of(file, node.value)
        methods = instances.methods(file, owner, node.attr) if owner is not None else []
        function = methods[0] if len(methods) == 1 else None
    if function is None:
        return ""
    parameters = function.args
    names = [arg.arg for arg in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)]
    names = names[1:] if isinstance(file.parent(function), ast.ClassDef) else names
    others = [name for name in names if name not in _ARGUMENTS]
    if others or parameters.vararg or parameters.kwarg or parameters.posonlyargs:
        return f"its function takes {others[0] if others else '*args or **kwargs'}"
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [node for part in body for node in ast.walk(part)]
    if "config" in names and any(isinstance(n, ast.Name) and n.id == "config" for n in nodes):
        return "its function reads the RunConfig"
    return ""


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
