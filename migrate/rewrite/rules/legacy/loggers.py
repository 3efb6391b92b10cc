"""Replaces TensorFlow's private names of its logger by the public function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import legacy_names

_LOGGER = "tf.logging._logger"
_PUBLIC = "tensorflow.compat.v1.get_logger"


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.v1_names():
        if not f"{match.name}.".startswith(f"{_LOGGER}.") or match.guarded:
            continue
        node, longer = match.node, match.name.count(".") - _LOGGER.count(".")
        for _ in range(longer):
            assert isinstance(node, ast.Attribute)  # Such as `setLevel` of the logger.
            node = node.value
        function, imports = legacy_names.expression(file, _PUBLIC)
        yield file.replacement(node, f"{function}()", imports=imports)


RULE = Rule(
    __name__,
    _find,
    message="tf.get_logger() returns the logger that TensorFlow 1 kept in tf.logging._logger.",
    source="https://www.tensorflow.org/api_docs/python/tf/get_logger",
    symbols=(_LOGGER,),
    recipe="flags_and_app",
)
