"""Selects legacy Keras before TensorFlow is imported, if the program depends on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import legacy_names

_CHOICE = Import("legacy.keras_choice", "keras_choice", first=True)
_ON_KERAS = ("tf.keras", "tf.layers", "tf.nn.rnn_cell", "tf.nn.static_rnn")
_CHOOSING = ("legacy.contrib", "legacy.estimator", "legacy.compat.v1.estimator")


def depends_on_keras(name: str) -> bool:
    """Says whether a public name differs between legacy Keras and Keras 3."""
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in _ON_KERAS)


def _find(file: SourceFile) -> Iterator[Change]:
    is_needed = uses_keras(file) or (
        file.plan.is_entry and file.plan.program.uses(depends_on_keras)
    )
    if is_needed and not next(legacy_names.spellings(file), None):
        yield from changes(file)


def uses_keras(file: SourceFile) -> bool:
    """Says whether a file uses a name that differs between legacy Keras and Keras 3."""
    return bool(lines_of_keras(file))


def lines_of_keras(file: SourceFile) -> list[int]:
    """Returns the lines with names that differ between legacy Keras and Keras 3."""
    uses = [(match.name, match.node.lineno) for match in file.names()]
    imports = [use for use in file.uses if use.form == "import"]
    uses += [(use.name.replace("tf.compat.v1.", "tf."), use.line) for use in imports]
    return [line for name, line in uses if depends_on_keras(name)]


def changes(file: SourceFile) -> Iterator[Change]:
    """Yields the change that selects legacy Keras, unless the file already selects a Keras."""
    statement = _first_import(file)
    if statement is None:
        return
    start = file.line_start(statement.lineno)
    name = file.module_name(_CHOICE)
    newline = file.newline
    text = f"from legacy import {_CHOICE.statement(name).split('import ')[1]}{newline}{newline}"
    text += f"{name}.use_legacy_keras()  # Before TensorFlow is imported.{newline}"
    yield Change(statement.lineno, (Edit(start, start, text),))


def is_of_legacy(module: str) -> bool:
    """Says whether the import of a module selects legacy Keras."""
    return any(f"{module}.".startswith(f"{package}.") for package in _CHOOSING)


def _first_import(file: SourceFile) -> ast.stmt | None:
    """Returns the first import of TensorFlow, unless the file selects a Keras before it."""
    for statement in file.tree.body:
        if isinstance(statement, ast.Expr) and "use_legacy_keras" in file.segment(statement):
            return None
        for node in ast.walk(statement) if isinstance(statement, ast.Try) else (statement,):
            if isinstance(node, ast.ImportFrom):
                modules = [f"{node.module or ''}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            else:
                continue
            if any(map(is_of_legacy, modules)):
                return None
            if any(module.partition(".")[0] == "tensorflow" for module in modules):
                return statement
    return None


RULE = Rule(
    __name__,
    _find,
    message="The program selects legacy Keras before it imports TensorFlow, for tf.layers and "
    "tf.keras.",
    source="https://blog.tensorflow.org/2024/03/whats-new-in-tensorflow-216.html",
    symbols=("tf.keras.*", "tf.layers.*", "tf.nn.rnn_cell.*"),
    recipe="layers_and_losses",
)
