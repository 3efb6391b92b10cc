"""Replaces methods and attributes of models, metrics and optimizers that Keras 3 lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.arguments import Arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import model_calls, names

_GENERATORS = {
    "evaluate_generator": ("evaluate", ("generator", "steps")),
    "fit_generator": ("fit", ("generator", "steps_per_epoch", "epochs", "verbose", "callbacks")),
    "predict_generator": ("predict", ("generator", "steps")),
}
# Arguments for the processes that make the batches. They change no result of one process.
_QUEUE = ("max_queue_size", "use_multiprocessing", "workers")
_METRICS_NAMES = "metrics_names of Keras 3 lacks the names of the metrics of compile"
_COMPILED = ("optimizer", "loss", "metrics", "loss_weights", "weighted_metrics")
_MISSING = {
    "add_metric": "layers of Keras 3 have no add_metric: update a metric of __init__ instead",
    "add_update": "layers of Keras 3 have no add_update: assign to the weight in call",
    "get_input_at": "layers of Keras 3 have no get_input_at",
    "get_output_at": "layers of Keras 3 have no get_output_at",
}


def _find(file: SourceFile) -> Iterator[Change]:
    if not names.uses_tf_keras(file):
        return
    for node in file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from (change._replace(needed=True) for change in _of_call(file, node, node.func))
        elif isinstance(node, ast.Attribute) and node.attr == "metrics_names":
            yield file.suggestion(node, _METRICS_NAMES)._replace(needed=True)
        elif isinstance(node, ast.Attribute) and ast.unparse(node).endswith(".optimizer.lr"):
            text = f"{file.segment(node.value)}.learning_rate"
            yield file.replacement(node, text)._replace(needed=True)


def _of_call(file: SourceFile, node: ast.Call, function: ast.Attribute) -> Iterator[Change]:
    name, owner = function.attr, file.segment(function.value)
    if name in _MISSING:
        yield file.suggestion(node, _MISSING[name])
    elif name in _GENERATORS:
        yield _of_generator(file, node, function)
    elif name == "reset_states":
        if "model" in owner.lower():
            yield file.suggestion(node, "models of Keras 3 have no reset_states, but their layers")
        else:
            yield file.replacement(function, f"{owner}.reset_state")
    elif model_calls.compiles_model(node) and not _decides_about_xla(node):
        call = Arguments(file.segment(node))
        call.name_positional(_COMPILED, start=2)  # The third one is `loss_weights` in Keras 3.
        call.add("jit_compile", "False")
        yield file.replacement(node, call.code)
    elif name in ("save", "save_weights") and len(node.args) >= 1:
        yield from _of_save(file, node, name)
    elif any(keyword.arg == "reset_metrics" for keyword in node.keywords):
        yield file.suggestion(node, f"{name} of Keras 3 has no reset_metrics")


def _of_generator(file: SourceFile, node: ast.Call, function: ast.Attribute) -> Change:
    new, parameters = _GENERATORS[function.attr]
    if any(isinstance(arg, ast.Starred) for arg in node.args) or len(node.args) > len(parameters):
        return file.suggestion(node, f"{function.attr} has arguments that are not known")
    call = Arguments(file.segment(node))
    call.set_function(f"{file.segment(function.value)}.{new}")
    call.name_positional(parameters, start=1)
    call.rename("generator", "x")
    reason = ""
    for name in _QUEUE:
        if name in call.names and call.value(name) not in ("1", "False"):
            is_order = name != "max_queue_size"
            reason = "several processes made the batches" if is_order else reason
        call.remove(name)
    return file.replacement(node, call.code, unsafe=reason)


def _decides_about_xla(node: ast.Call) -> bool:
    return bool({keyword.arg for keyword in node.keywords} & {"jit_compile", None})


def _of_save(file: SourceFile, node: ast.Call, name: str) -> Iterator[Change]:
    path = node.args[0]
    text = path.value if isinstance(path, ast.Constant) else None
    if not isinstance(text, str):
        return
    if name == "save_weights" and not text.endswith(".weights.h5"):
        yield file.suggestion(node, "save_weights of Keras 3 writes only files .weights.h5")
    elif name == "save" and not text.endswith((".h5", ".hdf5", ".keras")):
        reason = "save of Keras 3 writes no SavedModel: use export for serving, or a file .keras"
        yield file.suggestion(node, reason)


RULE = Rule(
    __name__,
    _find,
    message="fit, evaluate and predict replace the methods for generators. compile says that XLA "
    "does not compile the steps, as it did not with tf_keras.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=("tf_keras.Model.*",),
    recipe="layers_and_losses",
)
