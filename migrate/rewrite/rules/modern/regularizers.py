"""Replaces the regularizers of contrib by tf_keras.regularizers, with half the factor for L2."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

_PREFIXES = ("tf.contrib.layers", "tf.contrib.slim")
_PARAMETERS = {
    "l1_regularizer": ("scale", "scope"),
    "l2_regularizer": ("scale", "scope"),
    "l1_l2_regularizer": ("scale_l1", "scale_l2", "scope"),
}


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        name = match.name.rpartition(".")[2]
        if match.call is None:
            continue
        args = arguments.bind(match.call, _PARAMETERS[name])
        if args is None:
            yield file.suggestion(match.call, f"{name} is called with *args or **kwargs")
            continue
        keras, imports = modern_names.keras(file)
        if name == "l1_regularizer":
            text = f"L1({file.segment(args['scale'])})"
        elif name == "l2_regularizer":
            text = f"L2({_half(file, args['scale'])})"
        else:
            first = file.segment(args["scale_l1"]) if "scale_l1" in args else "1.0"
            second = _half(file, args["scale_l2"]) if "scale_l2" in args else "0.5"
            text = f"L1L2(l1={first}, l2={second})"
        yield file.replacement(match.call, f"{keras}.regularizers.{text}", imports)


def _half(file: SourceFile, scale: ast.expr) -> str:
    """Returns half a scale: contrib's L2 is scale * sum(w ** 2) / 2, Keras' is l2 * sum(w ** 2)."""
    return f"0.5 * {modern_names.factor(file, scale)}"


RULE = Rule(
    __name__,
    _find,
    message="Keras regularizers replace those of contrib. Keras' L2 lacks the factor 1/2 of "
    "contrib.",
    source="https://github.com/tensorflow/tensorflow/blob/r1.15/tensorflow/contrib/layers/python/"
    "layers/regularizers.py",
    symbols=tuple(f"{prefix}.{name}" for prefix in _PREFIXES for name in _PARAMETERS),
    recipe="layers_and_losses",
)
