"""Replaces functions of TensorFlow in layers by keras.ops, which each backend computes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.keras3 import calls, layer_code, names
from migrate.rewrite.keras3.tensor_functions import FUNCTIONS

# They compute no tensor.
_OTHERS = (
    *("GradientTape", "TensorShape", "TensorSpec", "control_dependencies", "device", "function"),
    *("init_scope", "name_scope", "variable_scope"),
)
_OTHER_MODULES = ("data.", "debugging.", "distribute.", "estimator.", "keras.", "nest.", "train.")


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.names():
        name = names.public_of(match)
        if match.call is None or not name or name in _OTHERS or name.startswith(_OTHER_MODULES):
            continue
        values = [*match.call.args, *(keyword.value for keyword in match.call.keywords)]
        is_symbolic = any(layer_code.is_symbolic(file, value) for value in values)
        if is_symbolic or layer_code.is_in_call(file, match.call):
            yield _change(file, match, name)._replace(needed=is_symbolic)


def _change(file: SourceFile, match: Match, name: str) -> Change:
    assert match.call is not None
    if name == "shape" and len(match.call.args) == 1 and not match.call.keywords:
        parent = file.parent(match.call)
        if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant):
            keras, imports = names.keras(file)
            return file.replacement(match.node, f"{keras}.ops.shape", imports)
    if name not in FUNCTIONS:
        return file.suggestion(
            match.call, f"keras.ops has no {name}, which only TensorFlow can compute"
        )
    code = calls.replaced(file, match, FUNCTIONS[name])
    if not code.text:
        return file.suggestion(match.call, code.reason)
    return file.replacement(match.call, code.text, code.imports, code.reason)


RULE = Rule(
    __name__,
    _find,
    message="keras.ops replaces functions of TensorFlow in layers and in functional models. "
    "JAX and PyTorch can compute it, too.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=tuple(f"tf.{name}" for name in sorted(FUNCTIONS)),
    recipe="layers_and_losses",
)
