"""Changes own training steps: Keras 3 computes losses and metrics by other methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names

_LOSS = ("y", "y_pred", "sample_weight")


def _find(file: SourceFile) -> Iterator[Change]:
    if not names.uses_tf_keras(file):
        return
    for node in file.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = file.segment(node.func.value)
        change = None
        if node.func.attr == "minimize" and owner.endswith("optimizer"):
            change = _of_minimize(file, node, owner)
        elif node.func.attr == "update_state" and owner.endswith("self.compiled_metrics"):
            change = _of_metrics(file, node, owner.removesuffix(".compiled_metrics"))
        elif node.func.attr == "compiled_loss":
            change = _of_loss(file, node, owner)
        if change is not None:
            yield change._replace(needed=True)


def _of_minimize(file: SourceFile, node: ast.Call, owner: str) -> Change | None:
    args = arguments.bind(node, ("loss", "var_list", "grad_loss", "name", "tape"))
    if args is None or "tape" not in args and owner != "self.optimizer":
        return None  # It may be an optimizer of tf.train.
    if set(args) != {"loss", "var_list", "tape"}:
        return file.suggestion(node, "minimize of a loss without its tape has no counterpart")
    loss, variables, tape = (file.segment(args[key]) for key in ("loss", "var_list", "tape"))
    text = f"{owner}.apply_gradients(zip({tape}.gradient({loss}, {variables}), {variables}))"
    return file.replacement(node, text)


def _of_metrics(file: SourceFile, node: ast.Call, owner: str) -> Change:
    args = arguments.bind(node, _LOSS)
    if args is None or not {"y", "y_pred"} <= set(args) <= set(_LOSS):
        return file.suggestion(node, "its arguments are not known")
    weights = f", {file.segment(args['sample_weight'])}" if "sample_weight" in args else ""
    y, y_pred = file.segment(args["y"]), file.segment(args["y_pred"])
    return file.replacement(node, f"{owner}.compute_metrics(None, {y}, {y_pred}{weights})")


def _of_loss(file: SourceFile, node: ast.Call, owner: str) -> Change:
    statement = file.parent(node)
    args = arguments.bind(node, (*_LOSS, "regularization_losses"))
    is_assigned = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    if args is None or not is_assigned or not isinstance(statement, ast.Assign):
        return file.suggestion(node, "compute_loss of Keras 3 updates no metric of the loss")
    if "regularization_losses" not in args:
        return file.suggestion(node, "compute_loss of Keras 3 adds the penalties of layers")
    values = ", ".join(f"{key}={file.segment(args[key])}" for key in _LOSS if key in args)
    keras, imports = names.keras(file)
    loss = file.segment(statement.targets[0])
    batch = f"{keras}.ops.shape({keras}.tree.flatten({file.segment(args['y_pred'])})[0])[0]"
    lines = [
        f"{loss} = {owner}.compute_loss({values})",
        f"{owner}.metrics[0].update_state({loss}, sample_weight={batch})",
    ]
    indent = file.indent(statement.lineno)
    return file.replacement(statement, f"{file.newline}{indent}".join(lines), imports)


RULE = Rule(
    __name__,
    _find,
    message="Own training steps call compute_loss, compute_metrics and apply_gradients.",
    source="https://keras.io/guides/custom_train_step_in_tensorflow/",
    symbols=("tf_keras.Model.train_step",),
    recipe="custom_model_fn",
)
