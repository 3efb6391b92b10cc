"""Calls `initialized_value` in a way that works for the variables of Keras, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import legacy_names

_METHOD = "initialized_value"
_VARIABLE = "tensorflow.compat.v1.Variable"


def _find(file: SourceFile) -> Iterator[Change]:
    if file.plan.program.api != "v1":
        return
    for node in file.nodes:
        if not isinstance(node, ast.Call) or node.args or node.keywords:
            continue
        if not isinstance(node.func, ast.Attribute) or node.func.attr != _METHOD:
            continue
        variable, imports = legacy_names.expression(file, _VARIABLE)
        text = f"{variable}.{_METHOD}({file.segment(node.func.value)})"
        yield file.replacement(node, text, imports=imports)


RULE = Rule(
    __name__,
    _find,
    message="tf.Variable.initialized_value(v) works for all variables. The method of Keras "
    "variables raises an error.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/v1/Variable#initialized_value",
    symbols=("tf.Variable.initialized_value",),
    recipe="sessions_and_graphs",
)
