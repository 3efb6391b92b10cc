"""Replaces DenseFeatures in Keras models by preprocessing layers, if its columns are known."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.analysis import bridged_configs, input_functions, v2_switches
from migrate.rewrite.analysis.dataflow import UnknownValue
from migrate.rewrite.analysis.feature_columns import Column, Columns, refuse_sparse
from migrate.rewrite.canned import preprocessing
from migrate.rewrite.canned.preprocessing import Layers, Modules
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import new_functions
from migrate.rewrite.names import modern_names

_GRAPH = "lookup tables need TensorFlow 2 behavior, which this program does not have"
_TABLES = "old checkpoints have other names for an embedding_column than the layer's variable"
_DOC = '"""Returns a model from features to numbers, in the order of the columns\' names."""'


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.names():
        if match.call is None or not RULE.covers(match.name):
            continue
        try:
            yield _change(file, match.call)
        except UnknownValue as error:
            yield file.suggestion(match.call, str(error))


def _change(file: SourceFile, call: ast.Call) -> Change:
    args = arguments.bind(call, ("feature_columns",))
    if args is None or set(args) != {"feature_columns"}:
        raise UnknownValue("DenseFeatures has arguments that the new layers do not support")
    function = file.function(call)
    if function is not None and "mode" in input_functions.parameters(function):
        raise UnknownValue("it is in a model_fn: rewrite the model_fn first")
    reader = Columns(file, function)
    columns = preprocessing.in_order(reader.of(args["feature_columns"]))
    if not columns:
        raise UnknownValue("DenseFeatures has no columns")
    refuse_sparse(file, columns)
    tf, tf_imports = modern_names.tensorflow_2(file)
    keras, imports = modern_names.keras(file)
    module, module_imports = bridged_configs.module(file, "column_layers")
    layers = Layers(reader, Modules(tf, keras, module), columns)
    parts = [layers.dense(column, "") for column in columns]
    numbers = parts[0]
    if len(parts) > 1:
        numbers = f"{keras}.layers.Concatenate()([{', '.join(parts)}])"
    lines = [_DOC, *layers.lines(), f"numbers = {numbers}"]
    lines.append(f"return {module}.FromFeatures(inputs, numbers)")
    new_functions.check_names(reader, lines)
    name = file.new_name("build_features", ("the features of", call))
    definition, edits = new_functions.placed(reader, call, name, lines)
    if definition:
        line = file.statement(call).lineno
        start = file.line_start(line)
        edits.append(Edit(start, start, f"{file.indent(line)}{definition}{file.newline}"))
    imports = (*imports, *module_imports, *(tf_imports if f"{tf}." in "\n".join(lines) else ()))
    change = file.replacement(call, f"{name}()", imports, _problem(file, columns, layers))
    edits += [*change.edits, *new_functions.without(reader, reader.made, call)]
    return change._replace(edits=tuple(edits))


def _problem(file: SourceFile, columns: Sequence[Column], layers: Layers) -> str:
    """Returns the reason why a model may compute other numbers, or "" if it cannot."""
    if file.plan.program.api == "v1" or v2_switches.find(file):
        return _GRAPH
    if any(column.kind in ("embedding_column", "shared_embeddings") for column in columns):
        return _TABLES
    return next(iter(layers.problems), "")


RULE = Rule(
    __name__,
    _find,
    message="A model of preprocessing layers replaces DenseFeatures, and gives the same numbers.",
    source="https://www.tensorflow.org/guide/migrate/migrating_feature_columns",
    symbols=("tf.keras.layers.DenseFeatures", "tf_keras.layers.DenseFeatures"),
    recipe="feature_columns",
    safe=False,
)
