"""Keeps the names of Keras metrics that a program gives as strings.

In TensorFlow 1, `metrics=["accuracy"]` reported "acc", and `metrics=["mse"]` reported
"mean_squared_error". TensorFlow 2 reports each string as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import v2_switches
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile

# Reported names of strings, as by get_metric_name() of Keras in TensorFlow 1.15.
_REPORTED = {
    "accuracy": "acc",
    "crossentropy": "ce",
    **dict.fromkeys(["mse", "MSE"], "mean_squared_error"),
    **dict.fromkeys(["mae", "MAE"], "mean_absolute_error"),
    **dict.fromkeys(["mape", "MAPE"], "mean_absolute_percentage_error"),
    **dict.fromkeys(["msle", "MSLE"], "mean_squared_logarithmic_error"),
}
_PARAMETERS = ("optimizer", "loss", "metrics")


def _find(file: SourceFile) -> Iterator[Change]:
    if file.plan.program.api != "v1" and not v2_switches.find(file):
        return
    for node in file.nodes:
        value = _metrics(node)
        literal = bindings.assigned_value(file, value) if isinstance(value, ast.Name) else value
        for metric in _strings(literal):
            name = _REPORTED[str(metric.value)]
            uses = bindings.uses_of_value(file, literal) if literal is not None else None
            if literal is not value and len(uses or ()) != 1:
                yield file.suggestion(metric, f"it reported {name}")
                continue
            quote = file.segment(metric)[0]
            yield file.replacement(metric, f"{quote}{name}{quote}")


def _metrics(node: ast.AST) -> ast.expr | None:
    """Returns the argument `metrics` of a call such as `model.compile(...)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != "compile":
        return None
    given = dict(zip(_PARAMETERS, node.args, strict=False))
    given.update({word.arg: word.value for word in node.keywords if word.arg is not None})
    return given.get("metrics")


def _strings(node: ast.expr | None) -> Iterator[ast.Constant]:
    """Yields the strings of a list or dictionary of metrics that had other names."""
    if isinstance(node, ast.Constant) and node.value in _REPORTED:
        yield node
    elif isinstance(node, (ast.List, ast.Tuple, ast.Dict)):
        for element in node.values if isinstance(node, ast.Dict) else node.elts:
            yield from _strings(element)


RULE = Rule(
    __name__,
    _find,
    message="Metrics of Keras models keep their names, such as acc for metrics=['accuracy'].",
    source="https://www.tensorflow.org/guide/migrate/migrating_estimator",
    symbols=("tf.keras.Model.compile",),
    recipe="metrics_and_optimizers",
)
