"""Turns the metrics of a model_fn into Keras metrics, with their updates.

metrics = read(file, shape, rendered)
[metric.constructor for metric in metrics], [metric.update for metric in metrics]
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine import texts as literals
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import Path
from migrate.rewrite.model_fns.analysis.resolving import resolved
from migrate.rewrite.model_fns.analysis.shape import Shape
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names


class _Kind(NamedTuple):
    """A metric of tf.metrics, and its Keras counterpart.

    Attributes:
      keras: Class of the Keras metric.
      parameters: Parameters with the values to compare. They may be positional.
      value_format: Format of each value as an argument of the Keras metric.
      options: Keyword arguments of both metrics. Others are refused.
    """

    keras: str
    parameters: tuple[str, ...]
    value_format: str = "{}"
    options: tuple[str, ...] = ()


_BOTH = ("labels", "predictions")
# For tf.metrics every value but 0 is true. For Keras only values above 0.5 are.
_CLASSES = "{tf}.cast({}, {tf}.bool)"
_ELEMENTS = "{tf}.reshape({}, [-1, 1])"  # Keras would count a batch of numbers as one example.
_KINDS = {
    "accuracy": _Kind("Accuracy", _BOTH),
    "auc": _Kind("AUC", _BOTH, options=("num_thresholds",)),
    "false_negatives": _Kind("FalseNegatives", _BOTH, _CLASSES),
    "false_positives": _Kind("FalsePositives", _BOTH, _CLASSES),
    "mean": _Kind("Mean", ("values",)),
    "mean_absolute_error": _Kind("MeanAbsoluteError", _BOTH, _ELEMENTS),
    "mean_iou": _Kind("MeanIoU", (*_BOTH, "num_classes")),
    "mean_squared_error": _Kind("MeanSquaredError", _BOTH, _ELEMENTS),
    "precision": _Kind("Precision", _BOTH, _CLASSES),
    "recall": _Kind("Recall", _BOTH, _CLASSES),
    "root_mean_squared_error": _Kind("RootMeanSquaredError", _BOTH),
    "true_negatives": _Kind("TrueNegatives", _BOTH, _CLASSES),
    "true_positives": _Kind("TruePositives", _BOTH, _CLASSES),
}
NAMES = tuple(f"tf.metrics.{name}" for name in _KINDS)
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_WHOLE = (
    *("tf.arg_max", "tf.argmax", "tf.equal", "tf.greater", "tf.less", "tf.math.argmax"),
    *("tf.math.round", "tf.round", "tf.to_int"),
)
_LEFT_OUT = ("metrics_collections", "updates_collections", "name")


class Metric(NamedTuple):
    """A metric of Keras.

    Attributes:
      name: Name of the metric, in double quotes.
      constructor: Expression that makes the metric.
      update: Arguments of `update_state`.
      test: Condition under which the metric exists, or None.
    """

    name: str
    constructor: str
    update: str
    test: ast.expr | None = None


def read(file: SourceFile, shape: Shape, rendered: Rendered) -> list[Metric]:
    """Returns the metrics of a model_fn.

    Args:
      file: The file.
      shape: The model_fn.
      rendered: Texts of the nodes that are replaced.

    Raises:
      NotUnderstood: Keras has no counterpart of a metric.
    """
    metrics = []
    for name, call in shape.metrics.items():
        function = (file.name_of(call.func) or "").removeprefix("tf.metrics.")
        if function not in _KINDS or name == "loss":
            raise NotUnderstood(
                f"its metric {name!r} is tf.metrics.{function}, which is not supported"
            )
        metric = _metric(file, shape, name, _KINDS[function], call, rendered)
        metrics.append(metric._replace(test=shape.tests.get(name)))
    return metrics


def conditional_names(shape: Shape) -> set[str]:
    """Returns the names that have values under the conditions of all metrics that read them.

    Args:
      shape: The model_fn.
    """
    names: set[str] = set()
    wrong: set[str] = set()
    for name, call in shape.metrics.items():
        test = shape.tests.get(name)
        branch_names: set[str] = set()
        for statement in shape.evaluation.statements if shape.evaluation else ():
            if isinstance(statement, ast.If) and test is not None:
                condition = ast.unparse(statement.test)
                is_first = ast.unparse(test) == condition
                is_second = isinstance(test, ast.UnaryOp) and ast.unparse(test.operand) == condition
                body = statement.body if is_first else statement.orelse if is_second else []
                branch_names |= set().union(*map(slices.replaces, body))
        names |= branch_names
        wrong |= slices.read(call) - branch_names
    return names - wrong


def _metric(
    file: SourceFile, shape: Shape, name: str, kind: _Kind, call: ast.Call, rendered: Rendered
) -> Metric:
    args = arguments.bind(call, (*kind.parameters, "weights"))
    if args is None or not set(kind.parameters) <= set(args):
        raise NotUnderstood(
            f"its metric {name!r} is created with *args or **kwargs, or lacks arguments"
        )
    args = {key: value for key, value in args.items() if key not in _LEFT_OUT}
    weights = args.pop("weights", None)
    is_plain = weights is None or modern_names.is_constant(weights, None)
    others = set(args) - {*kind.parameters, *kind.options}
    if others or (not is_plain and kind.value_format != "{}"):
        raise NotUnderstood(
            f"the argument {sorted(others or {'weights'})[0]} of its metric {name!r} is not "
            "supported"
        )
    texts = {key: rendered.text(args[key]) for key in args}
    keras, _ = modern_names.keras(file)
    tf = bridged_configs.tensorflow(file)
    if not tf:
        raise NotUnderstood(bridged_configs.NAMELESS)
    quoted = literals.quoted(name)
    options = [f"name={quoted}"]
    options += [f"{key}={texts[key]}" for key in (*kind.options, "num_classes") if key in texts]
    value_parameters = [key for key in kind.parameters if key != "num_classes"]
    values = [kind.value_format.format(texts[key], tf=tf) for key in value_parameters]
    if kind.keras == "Accuracy" and not _is_whole(file, shape, args["predictions"]):
        labels = texts["labels"] if isinstance(args["labels"], _ATOMS) else f"({texts['labels']})"
        values[1] = f"{tf}.cast({values[1]}, {labels}.dtype)"  # Like tf.metrics.accuracy.
    if not is_plain and weights is not None:
        values.append(f"sample_weight={rendered.text(weights)}")
    constructor = f"{keras}.metrics.{kind.keras}({', '.join(options)})"
    return Metric(quoted, constructor, ", ".join(values))


def _is_whole(file: SourceFile, shape: Shape, node: ast.expr) -> bool:
    """Says whether predictions are known to be integers or booleans."""
    statements = [*shape.forward, *(shape.evaluation.statements if shape.evaluation else ())]
    path = Path(statements, node)
    node = resolved(path, node)
    if isinstance(node, ast.Subscript):
        table = resolved(path, node.value)
        if not isinstance(table, ast.Dict) or None in table.keys:  # None stands for `**`.
            return False
        pairs = zip(table.keys, table.values, strict=True)
        value = {ast.dump(key): item for key, item in pairs if key}.get(ast.dump(node.slice))
        if value is None:
            return False
        node = resolved(path, value)
    name = (file.name_of(node.func) or "") if isinstance(node, ast.Call) else ""
    if name == "tf.cast" and isinstance(node, ast.Call) and len(node.args) == 2:
        return (file.name_of(node.args[1]) or "").startswith(("tf.bool", "tf.int", "tf.uint"))
    return isinstance(node, ast.Compare) or name.startswith(_WHOLE)
