"""Replaces optimizers of tf.train by those of Keras, including arguments with a new meaning."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import optimizer_calls
from migrate.rewrite.analysis.optimizer_calls import OPTIMIZERS, Optimizer
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names
from migrate.rewrite.rules import graph_names

# Names of Keras 3 and of the Keras that is left in TensorFlow.
_OF_OTHERS = ("@keras.", "tf.python.keras.")
_GRAPH = "Keras optimizers need TensorFlow 2 behavior, which this program does not have"
_BRIDGED = "it stays in the model_fn, where migrate.bridge converts it"
_CANNED = "it changes together with its canned Estimator"
_OTHER = "its model is of {}, which takes no optimizers of tf_keras"
_STAYS = "Keras optimizers need TensorFlow 2 behavior, and {}"
_USE = "minimize and apply_gradients of Keras optimizers take other arguments"


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        optimizer = OPTIMIZERS[match.name.rpartition(".")[2]]
        if match.call is None:
            continue
        args = arguments.bind(match.call, optimizer.parameters)
        if args is None:
            yield file.suggestion(match.call, "it is created with *args or **kwargs")
            continue
        if _is_in_model_fn(file, match.call):
            yield file.suggestion(match.call, _BRIDGED)
            continue
        if not _is_compiled(file, match.call):
            is_canned = _is_of_canned(file, match.call)
            yield file.suggestion(match.call, _CANNED if is_canned else _USE)
            continue
        other_keras = _other_keras(file)
        if other_keras:
            yield file.suggestion(match.call, _OTHER.format(other_keras))
            continue
        graph_reason = _graph_reason(file)
        if graph_reason:
            yield file.suggestion(match.call, _STAYS.format(graph_reason))
            continue
        keras, imports = modern_names.keras(file)
        reason = _reason(file, optimizer, args)
        texts = {name: file.segment(value) for name, value in args.items()}
        options = ", ".join(optimizer_calls.keras_arguments(optimizer, texts))
        text = f"{keras}.optimizers.{optimizer.keras}({options})"
        yield file.replacement(match.call, text, imports, reason)


def _other_keras(file: SourceFile) -> str:
    """Returns the Keras that a file or its program imports next to legacy Keras, or ""."""
    for use in file.uses:
        if f"{use.name}.".startswith(_OF_OTHERS):
            name = use.name.removeprefix("@")
            name = f"tensorflow.{name[3:]}" if name.startswith("tf.") else name
            return f"{'.'.join(name.split('.')[:3])} in line {use.line}"
    is_other = file.plan.program.uses(lambda name: f"{name}.".startswith(_OF_OTHERS))
    return "another Keras, which another file of the program imports" if is_other else ""


def _graph_reason(file: SourceFile) -> str:
    """Returns the reason why a program keeps the graphs of TensorFlow 1, or "" if none is known."""
    if not _has_graphs(file):
        return ""
    # This rule replaces these names.
    nodes = [match.node for match in file.matches(RULE)]
    return graph_names.reason_to_stay(file, lambda match: match.node not in nodes)


def _has_graphs(file: SourceFile) -> bool:
    """Says whether a program runs with the behavior of TensorFlow 1."""
    return file.plan.program.api == "v1" or any(
        match.name.endswith((".disable_v2_behavior", ".disable_eager_execution"))
        for match in file.names()
    )


def _is_of_canned(file: SourceFile, node: ast.AST) -> bool:
    """Says whether an optimizer is an argument of a canned Estimator."""
    parent = file.parent(node)
    call = file.parent(parent) if isinstance(parent, ast.keyword) else None
    name = file.name_of(call.func) or "" if isinstance(call, ast.Call) else ""
    return name.startswith("tf.estimator.")


def _is_in_model_fn(file: SourceFile, node: ast.AST | None) -> bool:
    while node is not None:
        node = file.parent(node)
        if isinstance(node, ast.FunctionDef):
            parameters = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
            if {"features", "labels", "mode"} <= parameters:
                return True
    return False


def _reason(file: SourceFile, optimizer: Optimizer, args: dict[str, ast.expr]) -> str:
    """Returns the reason why the Keras optimizer may train differently, or "" if none is known."""
    reasons = []
    if _has_graphs(file):
        reasons.append(_GRAPH)
    is_number = modern_names.is_constant(args.get(optimizer_calls.RATE))
    if optimizer.reason and not ("momentum" in args and optimizer.keras == "SGD" and is_number):
        reasons.append(optimizer.reason)
    return "; ".join(reasons)


def _is_compiled(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an optimizer is only passed to compile of a Keras model, also through a name."""
    uses = bindings.uses_of_value(file, node)
    if uses is not None:
        return bool(uses) and all(_is_compiled(file, use) for use in uses)
    parent = file.parent(node)
    if isinstance(parent, ast.keyword) and parent.arg == "optimizer":
        parent = file.parent(parent)
    function = parent.func if isinstance(parent, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr == "compile"


RULE = Rule(
    __name__,
    _find,
    message="Keras optimizers replace those of tf.train, with its defaults written out.",
    source="https://www.tensorflow.org/guide/migrate/metrics_optimizers",
    symbols=tuple(f"tf.train.{name}" for name in OPTIMIZERS),
    recipe="metrics_and_optimizers",
    safe=False,
)
