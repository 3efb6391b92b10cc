"""Replaces tf.losses by Keras losses that compute the same number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names


class _Loss(NamedTuple):
    """A loss of tf.losses, and its Keras counterpart.

    Attributes:
      keras: Function of tf_keras.losses.
      parameters: Parameters in order. The first two are the values to compare.
      fixed_argument: Argument that the Keras function always gets, or "" for none.
      shared_parameters: Parameters that the Keras function has under the same name.
    """

    keras: str
    parameters: tuple[str, ...]
    fixed_argument: str = ""
    shared_parameters: tuple[str, ...] = ()


_END = ("weights", "scope", "loss_collection", "reduction")
_LOSSES = {
    "absolute_difference": _Loss("mean_absolute_error", ("labels", "predictions", *_END)),
    "hinge_loss": _Loss("hinge", ("labels", "logits", *_END)),
    "huber_loss": _Loss(
        "huber",
        ("labels", "predictions", "weights", "delta", "scope", "loss_collection", "reduction"),
        shared_parameters=("delta",),
    ),
    "mean_squared_error": _Loss("mean_squared_error", ("labels", "predictions", *_END)),
    "sigmoid_cross_entropy": _Loss(
        "binary_crossentropy",
        ("multi_class_labels", "logits", "weights", "label_smoothing", *_END[1:]),
        "from_logits=True",
        ("label_smoothing",),
    ),
    "softmax_cross_entropy": _Loss(
        "categorical_crossentropy",
        ("onehot_labels", "logits", "weights", "label_smoothing", *_END[1:]),
        "from_logits=True",
        ("label_smoothing",),
    ),
    "sparse_softmax_cross_entropy": _Loss(
        "sparse_categorical_crossentropy", ("labels", "logits", *_END), "from_logits=True"
    ),
}
_COLLECTED = (
    "the program reads the losses from tf.losses or a collection, and Keras adds nothing to them"
)
_WEIGHTS = (
    "it divides by the number of nonzero weights, and Keras by the batch size: use sample_weight"
)


_SWAPPED = (
    "its arguments may be swapped, and Keras computes in the type of the second instead of float32"
)
# Keras losses use the input of these activations instead of their output, if that is the "logits".
_ACTIVATIONS = {
    "sigmoid_cross_entropy": "sigmoid",
    "softmax_cross_entropy": "softmax",
    "sparse_softmax_cross_entropy": "softmax",
}
_SPARSE_LABELS = "tf.nn has no labels of shape [batch_size, 1]"
_LABELS = re.compile(r"\b(labels?|targets?|y_true)\b")


def _find(file: SourceFile) -> Iterator[Change]:
    collects = file.program_uses(modern_names.collects_losses)
    problem = modern_names.unsure_losses(file)
    for match in file.matches(RULE):
        name = match.name.rpartition(".")[2]
        loss = _LOSSES[name]
        call = match.call
        if call is None:
            continue
        args = arguments.bind(call, loss.parameters)
        reason = (
            _COLLECTED
            if collects
            else _argument_problem(name, loss, args) or _name_problem(file, name)
        )
        if reason or args is None:
            yield file.suggestion(call, reason)
            continue
        if _are_swapped(*(args[key] for key in loss.parameters[:2])):
            yield file.suggestion(call, f"tf.losses.{name}: {_SWAPPED}")
            continue
        keras, imports = modern_names.keras(file)
        tf, tf_imports = modern_names.tensorflow(file, match)
        parts = [file.segment(args[key]) for key in loss.parameters[:2]]
        if modern_names.type_words(file.text) & modern_names.OTHER_FLOATS:
            parts[1] = f"{tf}.cast({parts[1]}, {tf}.float32)"  # Like tf.losses.
        activation = _ACTIVATIONS.get(name, "")
        if activation and _may_be_activated(file, args["logits"], activation, set()):
            yield _of_activated(file, call, name, tf, parts, tf_imports, args)
            continue
        parts += [loss.fixed_argument] * bool(loss.fixed_argument)
        parts += [
            f"{key}={file.segment(args[key])}" for key in loss.shared_parameters if key in args
        ]
        # Functions, not classes: a loss class of Keras must not be called under a strategy.
        text = f"{tf}.reduce_mean({keras}.losses.{loss.keras}({', '.join(parts)}))"
        yield file.replacement(call, text, (*imports, *tf_imports), problem)


def _name_problem(file: SourceFile, name: str) -> str:
    """Returns the reason why a loss must stay, or "" if the file gets no tensor by its name."""
    operation = re.compile(rf"{name}(_loss)?(_\d+)?(/[\w/]+)?(:\d+)?")
    for node in file.nodes:
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and operation.fullmatch(text) and ("/" in text or ":" in text):
            return f"this file gets a tensor of this loss by its name, {text!r}"
    return ""


def _are_swapped(first: ast.expr, second: ast.expr) -> bool:
    """Says whether the names of the arguments suggest that they are swapped."""
    names = [ast.unparse(node).lower() for node in (first, second)]
    return _LABELS.search(names[1]) is not None and _LABELS.search(names[0]) is None


def _of_activated(
    file: SourceFile,
    call: ast.Call,
    name: str,
    tf: str,
    values: list[str],
    imports: tuple[Import, ...],
    args: dict[str, ast.expr],
) -> Change:
    """Returns the loss of logits that may be activated, which a Keras loss would skip."""
    labels, logits = values
    if "label_smoothing" in args:
        reason = f"its logits may be the output of a {_ACTIVATIONS[name]}, which Keras would skip"
        return file.suggestion(call, f"tf.losses.{name}: {reason}")
    is_sparse = name.startswith("sparse")
    labels = labels if is_sparse else f"{tf}.cast({labels}, {tf}.float32)"
    text = f"{tf}.nn.{name}_with_logits(labels={labels}, logits={logits})"
    return file.replacement(
        call, f"{tf}.reduce_mean({text})", imports, _SPARSE_LABELS if is_sparse else ""
    )


def _may_be_activated(
    file: SourceFile, node: ast.expr, activation: str, visited: set[ast.AST]
) -> bool:
    """Says whether a value may be the output of an activation.

    Args:
      file: The file.
      node: The value.
      activation: Name of the activation.
      visited: Values that are being followed.
    """
    if node in visited:
        return False
    visited.add(node)
    values: list[ast.expr | None] = []
    if isinstance(node, ast.Name):
        binders = bindings.of_scope(file, node)
        if any(isinstance(binder, ast.arg) for binder in binders):
            return _has_layer_with(file, activation)
        values = [bindings.value_of(file, binder) for binder in binders]
    elif isinstance(node, ast.Subscript):  # Such as `y_pred["logits"]`.
        values = [node.value]
    elif isinstance(node, ast.Call):
        parts = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
        # For example, `dense(x, 3, tf.nn.softmax)` and `dense(x, 3, activation="softmax")`.
        if any(_last_name(part) == activation for part in parts):
            return True
        function = input_functions.function_of(file, node.func)
        values = [item.value for item in input_functions.returns(function)] if function else []
    return any(
        _may_be_activated(file, value, activation, visited) for value in values if value is not None
    )


def _has_layer_with(file: SourceFile, activation: str) -> bool:
    """Says whether a call in a file gets an activation as an argument."""
    calls = (node for node in file.nodes if isinstance(node, ast.Call))
    return any(
        _last_name(part) == activation
        for call in calls
        for part in (*call.args, *(keyword.value for keyword in call.keywords))
    )


def _last_name(node: ast.expr) -> object:
    """Returns the last name of a dotted name, or the value of a constant."""
    if isinstance(node, ast.Constant):
        return node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def _argument_problem(name: str, loss: _Loss, args: dict[str, ast.expr] | None) -> str:
    """Returns the reason why a call has no Keras counterpart, or "" if it has one."""
    if args is None or not set(loss.parameters[:2]) <= set(args):
        return f"tf.losses.{name} is called with *args or **kwargs"
    weights = args.get("weights")
    if weights is not None and not modern_names.is_constant(weights, 1):
        return f"tf.losses.{name}: {_WEIGHTS}"
    for key in ("reduction", "loss_collection"):
        if key in args:
            return f"the argument {key} of tf.losses.{name} has no counterpart in Keras losses"
    return ""


RULE = Rule(
    __name__,
    _find,
    message="Keras losses replace tf.losses. Without weights they compute the same mean.",
    source="https://www.tensorflow.org/guide/migrate/metrics_optimizers",
    symbols=tuple(f"tf.losses.{name}" for name in _LOSSES),
    recipe="layers_and_losses",
)
