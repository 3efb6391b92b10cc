"""Lists the metrics of tf.metrics that have a counterpart in Keras.

    problem("acc", "tf.metrics.accuracy", call)

A metric with another name or with other arguments has no counterpart.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.names import modern_names


class Kind(NamedTuple):
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
KINDS = {
    "accuracy": Kind("Accuracy", _BOTH),
    "auc": Kind("AUC", _BOTH, options=("num_thresholds",)),
    "false_negatives": Kind("FalseNegatives", _BOTH, _CLASSES),
    "false_positives": Kind("FalsePositives", _BOTH, _CLASSES),
    "mean": Kind("Mean", ("values",)),
    "mean_absolute_error": Kind("MeanAbsoluteError", _BOTH, _ELEMENTS),
    "mean_iou": Kind("MeanIoU", (*_BOTH, "num_classes")),
    "mean_squared_error": Kind("MeanSquaredError", _BOTH, _ELEMENTS),
    "precision": Kind("Precision", _BOTH, _CLASSES),
    "recall": Kind("Recall", _BOTH, _CLASSES),
    "root_mean_squared_error": Kind("RootMeanSquaredError", _BOTH),
    "true_negatives": Kind("TrueNegatives", _BOTH, _CLASSES),
    "true_positives": Kind("TruePositives", _BOTH, _CLASSES),
}
LEFT_OUT = ("metrics_collections", "updates_collections", "name")


def options(kind: Kind, call: ast.Call) -> dict[str, ast.expr] | None:
    """Returns the arguments of a metric by their names. None if some are missing or unknown.

    Args:
      kind: The metric.
      call: The call that makes it.
    """
    args = arguments.bind(call, (*kind.parameters, "weights"))
    if args is None or not set(kind.parameters) <= set(args):
        return None
    return {key: value for key, value in args.items() if key not in LEFT_OUT}


def problem(name: str, function_name: str, call: ast.expr) -> str:
    """Returns the reason why a metric has no counterpart in Keras, or "".

    Args:
      name: Name of the metric in `eval_metric_ops`.
      function_name: Full name of the function that makes it.
      call: The expression that makes it.
    """
    if not isinstance(call, ast.Call) or not function_name.startswith("tf.metrics."):
        return f"its metric {name!r} does not come from tf.metrics"
    kind = KINDS.get(function_name.removeprefix("tf.metrics."))
    if kind is None or name == "loss":
        return f"its metric {name!r} is {function_name}, which is not supported"
    args = options(kind, call)
    if args is None:
        return f"its metric {name!r} is created with *args or **kwargs, or lacks arguments"
    others = set(args) - {*kind.parameters, *kind.options, "weights"}
    is_plain = modern_names.is_constant(args.get("weights", ast.Constant(None)), None)
    if others or (not is_plain and kind.value_format != "{}"):
        argument = sorted(others or {"weights"})[0]
        return f"the argument {argument} of its metric {name!r} is not supported"
    return ""
