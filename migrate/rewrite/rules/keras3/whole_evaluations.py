"""Lets the steps of a compiled model wait for data, so that evaluations count each batch once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import model_calls, names

_WHOLE_STEPS = Import("modern.training.steps.whole_steps", "whole_steps")
_WAITS = "wait_for_data"


def _find(file: SourceFile) -> Iterator[Change]:
    # Keras knows the size of arrays, and reads each batch of theirs once.
    if not names.uses_tf_keras(file) or not file.program_uses(_is_of_data):
        return
    if not any(_evaluates(node) for node in file.nodes):
        return
    for node in file.nodes:
        if model_calls.compiles_model(node) and isinstance(node.func, ast.Attribute):
            statement, model = file.statement(node), ast.unparse(node.func.value)
            if isinstance(statement, ast.Expr) and not _waits(file, statement, model):
                yield _change(file, statement, model)


def _is_of_data(name: str) -> bool:
    return name.startswith(("tf.data.", "tf.compat.v1.data.", "tf.compat.v2.data."))


def _evaluates(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg == "validation_data"
    return isinstance(node, ast.Attribute) and node.attr == "evaluate"


def _waits(file: SourceFile, statement: ast.Expr, model: str) -> bool:
    """Says whether the next statement has the effect already, or the model is that of an Estimator.

    `porting.restore` calls it, too.
    """
    rest = file.text[file.span(statement)[1] :].lstrip()
    line = rest.partition("\n")[0]
    return f"({model}" in line and (f".{_WAITS}(" in line or ".restore(" in line)


def _change(file: SourceFile, statement: ast.Expr, model: str) -> Change:
    end = file.span(statement)[1]
    if file.text[end : file.line_end(statement.end_lineno or statement.lineno)].strip():
        return file.suggestion(statement, "another statement or a comment follows in its line")
    call = f"{file.module_name(_WHOLE_STEPS)}.{_WAITS}({model})"
    text = f"{file.newline}{file.indent(statement.lineno)}{call}"
    return Change(statement.lineno, (Edit(end, end, text),), (_WHOLE_STEPS,))


RULE = Rule(
    __name__,
    _find,
    message="The steps of a model wait for data. Otherwise evaluate of Keras 3 counts a batch too "
    "many, if the size of a Dataset is unknown and its batches have a fixed size.",
    source="https://keras.io/api/models/model_training_apis/",
    symbols=("tf_keras.Model.evaluate",),
    recipe="layers_and_losses",
)
