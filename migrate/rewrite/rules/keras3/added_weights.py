"""Names the arguments of add_weight, whose order differs in Keras 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.arguments import Arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import layer_code, names

_PARAMETERS = ("name", "shape", "dtype", "initializer", "regularizer", "trainable", "constraint")
_DROPPED = ("use_resource", "partitioner", "collections")
_AGGREGATIONS = {"MEAN": "mean", "NONE": "none", "ONLY_FIRST_REPLICA": "only_first_replica"}
_NO_VARIABLES = (
    "Keras 3 does not train tf.Variables of layers and models: create this weight by add_weight"
)


def _find(file: SourceFile) -> Iterator[Change]:
    if not names.uses_tf_keras(file):
        return
    for node in file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_own = isinstance(node.func.value, ast.Name) and node.func.value.id == "self"
            if is_own and node.func.attr == "add_weight":
                change = _change(file, node)
                if change is not None:
                    yield change._replace(needed=True)
    for match in file.names():
        is_variable = names.public_of(match) in ("Variable", "get_variable")
        if is_variable and match.call is not None and _is_in_class(file, match.call):
            yield file.suggestion(match.call, _NO_VARIABLES)._replace(needed=True)


def _is_in_class(file: SourceFile, node: ast.AST) -> bool:
    parent = file.parent(node)
    while parent is not None:
        if isinstance(parent, ast.ClassDef):
            return layer_code.is_of_keras(file, parent)
        parent = file.parent(parent)
    return False


def _change(file: SourceFile, node: ast.Call) -> Change | None:
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return file.suggestion(node, "add_weight is called with *args")
    call = Arguments(file.segment(node))
    call.name_positional(_PARAMETERS)
    for name in _DROPPED:
        call.remove(name)
    for keyword in node.keywords:
        if keyword.arg == "synchronization":
            return file.suggestion(node, "add_weight of Keras 3 has no synchronization")
        if keyword.arg == "aggregation" and isinstance(keyword.value, ast.Attribute):
            if keyword.value.attr not in (*_AGGREGATIONS, "SUM"):
                return file.suggestion(node, "its aggregation is only known in a run")
            text = _AGGREGATIONS.get(keyword.value.attr, "sum")
            call.set_value("aggregation", f'"{text}"')
    return file.replacement(node, call.code) if call.code != file.segment(node) else None


RULE = Rule(
    __name__,
    _find,
    message="The arguments of add_weight are named, because their order differs in Keras 3.",
    source="https://keras.io/guides/migrating_to_keras_3/",
    symbols=("tf_keras.layers.Layer.add_weight",),
    recipe="layers_and_losses",
)
