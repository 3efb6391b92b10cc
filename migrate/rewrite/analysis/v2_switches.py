"""Finds and removes the calls that disable behavior of TensorFlow 2, which Keras needs.

    edits, imports = v2_switches.without(file)

With `disable_v2_behavior()`, layers computed in the float type of their input. A program that may
feed them other types than float32 calls `porting.keep_float_types()` instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.names import modern_names

_BEHAVIOR = "tf.disable_v2_behavior"
_NAMES = (_BEHAVIOR, "tf.disable_eager_execution")
_LAYERS = (
    *("tf.compat.v1.keras.", "tf.contrib.layers.", "tf.contrib.slim.", "tf.keras.", "tf.layers."),
    "tf_keras.",
)
# Functions that take arrays, and keep their type.
_OF_ARRAYS = (
    *("tf.constant", "tf.contrib.learn.", "tf.convert_to_tensor"),
    *("tf.data.Dataset.from_tensor_slices", "tf.data.Dataset.from_tensors"),
    *("tf.estimator.inputs.", "tf.compat.v1.estimator.inputs."),
)
_ARRAYS = frozenset(("numpy", "pandas", "sklearn"))
# Evidence that the data are of float32: words, MNIST's readers, and feature columns, which cast.
_FLOAT32 = frozenset(("float32", "to_float"))
_OF_FLOAT32 = (
    *("tf.contrib.learn.datasets.load_dataset", "tf.contrib.learn.datasets.mnist"),
    *("tf.examples.tutorials.mnist", "tf.feature_column."),
)
_KEPT = "  # Layers compute in the float type of their input."


def is_one(name: str) -> bool:
    """Says whether a public name disables behavior that Keras needs."""
    return name.replace("tf.compat.v1.", "tf.") in _NAMES


def find(file: SourceFile) -> list[Match]:
    """Returns the names by which a file disables behavior that Keras needs."""
    return [match for match in file.names() if match.name in _NAMES]


def without(file: SourceFile) -> tuple[tuple[Edit, ...], tuple[Import, ...]]:
    """Returns the edits that remove or replace these calls, with the imports that they need."""
    edits: list[Edit] = []
    imports: tuple[Import, ...] = ()
    for name, statement in _calls(file):
        if name == _BEHAVIOR and _may_feed_other_floats(file):
            porting, imports = bridged_configs.module(file, "porting")
            start, end = file.span(statement)
            has_comment = bool(file.text[end:].partition("\n")[0].strip())
            text = f"{porting}.keep_float_types()" + ("" if has_comment else _KEPT)
            edits.append(Edit(start, end, text))
        else:
            edits.append(bridged_configs.removal(file, statement))
    return tuple(edits), imports


def keeps_float_types(file: SourceFile) -> bool:
    """Says whether `without` lets layers compute in the float type of their input."""
    names = [name for name, _ in _calls(file)]
    return _BEHAVIOR in names and _may_feed_other_floats(file)


def _calls(file: SourceFile) -> Iterator[tuple[str, ast.stmt]]:
    """Yields the calls that stand alone on their lines, with the names of their functions."""
    for match in find(file):
        statement = file.statement(match.node)
        if not isinstance(statement, ast.Expr) or statement.value is not match.call:
            continue
        if estimator_uses.is_alone(file, statement):
            yield match.name, statement


def _may_feed_other_floats(file: SourceFile) -> bool:
    """Says whether layers of the program may get other float types than float32.

    Arrays are of float64 unless a program chooses another type.
    """
    if not file.program_uses(lambda name: name.startswith(_LAYERS)):
        return False
    words = file.plan.program.type_words or modern_names.type_words(file.text)
    if words & modern_names.OTHER_FLOATS:
        return True
    if words & _FLOAT32 or file.program_uses(lambda name: name.startswith(_OF_FLOAT32)):
        return False
    return bool(words & _ARRAYS) and file.program_uses(lambda name: name.startswith(_OF_ARRAYS))
