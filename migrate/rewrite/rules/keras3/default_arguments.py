"""Writes out arguments whose defaults differ in Keras 3, and renames or removes others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.arguments import Arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names


class _Parameters(NamedTuple):
    """The parameters of a function that differ.

    Attributes:
      positional: The parameters that may be positional.
      defaults: The defaults of tf_keras that Keras 3 does not have.
      renamed: The new names.
      dropped: Parameters that Keras 3 lacks, which change no result.
    """

    positional: tuple[str, ...]
    defaults: Mapping[str, str] = {}
    renamed: Mapping[str, str] = {}
    dropped: tuple[str, ...] = ()


_FUNCTIONS = {
    "activations.relu": _Parameters(("x",), renamed={"alpha": "negative_slope"}),
    "layers.LeakyReLU": _Parameters(("negative_slope",), renamed={"alpha": "negative_slope"}),
    "metrics.KLDivergence": _Parameters(
        ("name",), defaults={"name": '"kullback_leibler_divergence"'}
    ),
    "regularizers.l1_l2": _Parameters(("l1", "l2"), defaults={"l1": "0.01", "l2": "0.01"}),
    **{
        f"initializers.{name}": _Parameters((), dropped=("dtype",))
        for name in ("RandomNormal", "RandomUniform", "TruncatedNormal")
    },
}


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, _ in names.of_tf_keras(file):
        if path in _FUNCTIONS and match.call is not None:
            change = _change(file, match.call, _FUNCTIONS[path])
            if change is not None:
                yield change._replace(needed=True)


def _change(file: SourceFile, node: ast.Call, parameters: _Parameters) -> Change | None:
    values = arguments.bind(node, parameters.positional)
    if values is None:
        return None  # It is more than the parameters that differ, or unknown.
    call = Arguments(file.segment(node))
    for name in parameters.dropped:
        call.remove(name)
    for old, new in parameters.renamed.items():
        call.rename(old, new)
    for name, default in parameters.defaults.items():
        if name not in values:
            call.add(name, default)
    text = file.segment(node)
    return file.replacement(node, call.code) if call.code != text else None


RULE = Rule(
    __name__,
    _find,
    message="Arguments with another default or name in Keras 3 are written out.",
    source="https://keras.io/api/layers/regularizers/",
    symbols=tuple(f"tf_keras.{name}" for name in sorted(_FUNCTIONS)),
    recipe="layers_and_losses",
)
