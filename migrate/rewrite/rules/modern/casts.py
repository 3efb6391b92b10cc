"""Replaces tf.to_float and similar functions by tf.cast."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

_DTYPES = {
    f"tf.to_{name}": dtype
    for name, dtype in {
        "bfloat16": "bfloat16",
        "complex128": "complex128",
        "complex64": "complex64",
        "double": "float64",
        "float": "float32",
        "int32": "int32",
        "int64": "int64",
    }.items()
}


def _find(file: SourceFile) -> Iterator[Change]:
    problem = modern_names.problem_of_tensor_names(file)
    for match in file.matches(RULE):
        tf, imports = modern_names.tensorflow(file, match)
        dtype = f"{tf}.{_DTYPES[match.name]}"
        if match.call is None:
            text = f"lambda x, name=None: {tf}.cast(x, {dtype}, name)"
            yield file.replacement(match.node, f"({text})", imports)
            continue
        args = arguments.bind(match.call, ("x", "name"))
        if args is None or "x" not in args:
            yield file.suggestion(match.node, f"{match.name} is called with *args or **kwargs")
            continue
        name = f", name={file.segment(args['name'])}" if "name" in args else ""
        text = f"{tf}.cast({file.segment(args['x'])}, {dtype}{name})"
        yield file.replacement(match.call, text, imports, "" if name else problem)


RULE = Rule(
    __name__,
    _find,
    message="tf.cast replaces tf.to_float and similar functions, and takes the type as an "
    "argument.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/v1/to_float",
    symbols=tuple(_DTYPES),
    recipe="sessions_and_graphs",
)
