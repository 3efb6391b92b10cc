"""Replaces tf.feature_column.input_layer by the Keras layer for the same columns."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis.dataflow import UnknownValue
from migrate.rewrite.analysis.feature_columns import Columns
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.names import modern_names

_LINEAR = "linear_model creates variables: use modern.porting.column_layers.Linear in a Keras model"
_OTHERS = (
    "input_layer is called with arguments that the layer does not support, or with *args or "
    "**kwargs"
)
_VARIABLES = (
    "the layer owns the variables of {}, so tf.variable_scope and collections do not include them"
)


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        if match.call is None:
            continue
        if match.name.endswith("linear_model"):
            yield file.suggestion(match.call, _LINEAR)
        else:
            yield _change(file, match)


def _change(file: SourceFile, match: Match) -> Change:
    call = match.call
    assert call is not None
    args = arguments.bind(call, ("features", "feature_columns"))
    if args is None or set(args) != {"features", "feature_columns"}:
        return file.suggestion(call, _OTHERS)
    keras, imports = modern_names.keras(file)
    columns, features = (file.segment(args[key]) for key in ("feature_columns", "features"))
    text = f"{keras}.layers.DenseFeatures({columns})({features})"
    problem = _problem(file, args)
    reason = modern_names.of_model_fn(file, call) if problem else ""
    return (
        file.suggestion(call, reason) if reason else file.replacement(call, text, imports, problem)
    )


def _problem(file: SourceFile, args: dict) -> str:
    """Returns the reason why the layer may differ from input_layer, or "" if it cannot."""
    try:
        columns = Columns(file, file.function(args["features"])).of(args["feature_columns"])
    except UnknownValue as error:
        return f"{error}, so the layer may have variables"
    tables = [
        column.name
        for column in columns
        if column.kind in ("embedding_column", "shared_embeddings")
    ]
    return _VARIABLES.format(tables[0]) if tables else ""


RULE = Rule(
    __name__,
    _find,
    message="Keras' DenseFeatures replaces input_layer, and takes the same columns.",
    source="https://www.tensorflow.org/guide/migrate/migrating_feature_columns",
    symbols=("tf.feature_column.input_layer", "tf.feature_column.linear_model"),
    recipe="feature_columns",
)
