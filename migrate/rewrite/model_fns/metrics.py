"""Turns the metrics of a model_fn into Keras metrics, with their updates.

metrics = read(file, shape, rendered)
[metric.constructor for metric in metrics], [metric.update for metric in metrics]
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import texts as literals
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.metrics import kinds
from migrate.rewrite.model_fns.analysis.metrics.kinds import KINDS, Kind
from migrate.rewrite.model_fns.analysis.metrics.streamed import Streamed
from migrate.rewrite.model_fns.analysis.modes import Path
from migrate.rewrite.model_fns.analysis.resolving import resolved
from migrate.rewrite.model_fns.analysis.shape import Shape
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

NAMES = tuple(f"tf.metrics.{name}" for name in KINDS)
_STREAMED = '"streaming_metrics"'
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_WHOLE = (
    *("tf.arg_max", "tf.argmax", "tf.equal", "tf.greater", "tf.less", "tf.math.argmax"),
    *("tf.math.round", "tf.round", "tf.to_int"),
)


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
        kind = KINDS[(file.name_of(call.func) or "").removeprefix("tf.metrics.")]
        metric = _metric(file, shape, name, kind, call, rendered)
        metrics.append(metric._replace(test=shape.tests.get(name)))
    if shape.streamed is not None:
        metrics.append(_streamed(file, shape, shape.streamed, rendered))
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
    file: SourceFile, shape: Shape, name: str, kind: Kind, call: ast.Call, rendered: Rendered
) -> Metric:
    args = kinds.options(kind, call) or {}
    weights = args.pop("weights", None)
    is_plain = weights is None or modern_names.is_constant(weights, None)
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


def _streamed(file: SourceFile, shape: Shape, streamed: Streamed, rendered: Rendered) -> Metric:
    """Returns the metric that stands for all metrics without a counterpart in Keras."""
    porting, _ = bridged_configs.module(file, "porting")
    constructor = f"{porting}.StreamingMetrics({streamed.function_name})"
    values = shape.evaluation.parameter_values if shape.evaluation is not None else {}
    texts = [rendered.text(values[name]) if name in values else name for name in streamed.arguments]
    return Metric(_STREAMED, constructor, ", ".join(texts))


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
