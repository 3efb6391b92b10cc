"""Writes the Keras model that replaces a canned Estimator.

    def _find(file):
        yield from estimator_jobs.changes(file, RULE, canned_models.CARRIER)

A new function builds a model from features to logits. The head from modern.porting.heads adds the
loss, the metrics and the predictions of the Estimator.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_classes
from migrate.rewrite.analysis.dataflow import Env, UnknownValue
from migrate.rewrite.analysis.feature_columns import Column, Columns, refuse_sparse
from migrate.rewrite.canned import canned_optimizers, preprocessing
from migrate.rewrite.canned.canned_heads import Head
from migrate.rewrite.canned.preprocessing import Layers, Modules
from migrate.rewrite.engine import texts, wrapping
from migrate.rewrite.engine.rule import Import, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import new_functions
from migrate.rewrite.estimators.estimator_jobs import Carrier, Job, Model
from migrate.rewrite.names import modern_names

_HEAD = frozenset(("config", "loss_reduction", "model_dir", "warm_start_from", "weight_column"))
_CLASSES = frozenset(("label_vocabulary", "n_classes"))
_LINEAR = ("feature_columns", "optimizer", "sparse_combiner")
_DNN = ("feature_columns", "optimizer", "hidden_units", "activation_fn", "dropout")
_SUPPORTED = {
    "Baseline": frozenset(("optimizer",)),
    "DNN": frozenset((*_DNN, "batch_norm")),
    "DNNLinearCombined": frozenset(
        (
            *(f"dnn_{argument}" for argument in _DNN),
            *(f"linear_{argument}" for argument in _LINEAR),
            "batch_norm",
        )
    ),
    "Linear": frozenset(_LINEAR),
}
NAMES = (
    *(
        f"tf.estimator.{model}{head}"
        for model in sorted(_SUPPORTED)
        for head in ("Classifier", "Estimator", "Regressor")
        if (model, head) != ("Baseline", "Estimator")
    ),
    *estimator_classes.OF_CONTRIB,
)
# The momentum of canned DNNs.
_BATCH_NORM = "BatchNormalization(momentum=0.999, name={})"


def _model(file: SourceFile, rule: Rule, job: Job) -> Model | str:
    try:
        return _Writer(file, job).model()
    except UnknownValue as error:
        return str(error)


def reason(file: SourceFile, job: Job) -> str:
    """Returns the reason why a canned Estimator has no Keras model, or "" if it has one.

    Args:
      file: The file.
      job: Facts about the Estimator.
    """
    try:
        _Writer(file, job).model()
    except UnknownValue as error:
        return str(error)
    return ""


def _is_shared(name: str) -> bool:
    return name.startswith("tf.feature_column.shared_embedding")


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


class _Side(NamedTuple):
    """A linear or deep model, whose logits are added to those of the other.

    Attributes:
      name: "linear" or "dnn".
      arguments: Prefix of the names of its arguments.
      columns: Its feature columns. Empty if they are unknown.
    """

    name: str
    arguments: str
    columns: list[Column]


class _Writer:
    """Writes the model of one Estimator."""

    def __init__(self, file: SourceFile, job: Job) -> None:
        self._file, self._job = file, job
        self._class = job.match.name.rpartition(".")[2]
        self._kind = re.sub(r"(Classifier|Estimator|Regressor)$", "", self._class)
        self._scope = file.function(job.construction.statement)
        self._reader = Columns(file, self._scope)
        self._head = Head(file, job, self._reader)
        self._in_place = False  # Whether the model stands in the place of the call.
        self._imports: list[Import] = []
        tf, imports = modern_names.tensorflow_2(file)
        self._tf, self._tf_imports = tf, imports
        keras, imports = modern_names.keras(file)
        self._keras = keras
        self._imports += imports
        self._nones = {
            keyword.arg
            for keyword in job.construction.call.keywords
            if modern_names.is_constant(keyword.value, None)
        }

    def _module(self, name: str) -> str:
        local_name, imports = bridged_configs.module(self._file, name)
        self._imports += [module for module in imports if module not in self._imports]
        return local_name

    def _all_imports(self) -> tuple[Import, ...]:
        return (
            *self._imports,
            *(module for module in self._head.imports if module not in self._imports),
        )

    def model(self) -> Model:
        """Returns the replacement of the Estimator.

        Raises:
          UnknownValue: A fact that matters cannot be determined from the file.
        """
        args = self._job.arguments
        is_classifier = self._class.endswith("Classifier")
        supported = (
            _HEAD | _SUPPORTED[self._kind] | (_CLASSES if is_classifier else {"label_dimension"})
        )
        if self._class.endswith("Estimator"):
            supported = _SUPPORTED[self._kind] | {
                *("config", "head", "model_dir", "warm_start_from")
            }
        unsupported = sorted(set(args) - supported)
        if unsupported:
            raise UnknownValue(f"the Keras model does not support {unsupported[0]}")
        if self._kind == "Baseline":
            units = self._head.units(self._text)
            body = f'{self._module("column_layers")}.Baseline({units}, name="baseline")'
            below = (self._compile_statement([]),)
            return Model(self._head.text(body), self._all_imports(), below=below)
        imports = list(self._imports)
        try:
            return self._of_layers()
        except UnknownValue as error:
            self._imports = imports
            return self._of_columns(error)

    def _of_layers(self) -> Model:
        """Returns a model of preprocessing layers, in its own function.

        Raises:
          UnknownValue: The feature columns cannot be read, or no layers compute the same.
        """
        file = self._file
        sides = self._sides()
        columns = [column for side in sides for column in side.columns]
        refuse_sparse(file, columns)
        layers, lines = self._body(sides)
        if layers.problems:
            raise UnknownValue(layers.problems[0])
        function = self._function()
        self._module("column_layers")
        if f"{self._tf}." in "\n".join(lines):
            self._imports += self._tf_imports
        below = (self._compile_statement(sides),)
        head = self._head.text(f"{function}()")
        call = self._job.construction.call
        above, edits = new_functions.placed(self._reader, call, function, lines)
        edits += new_functions.without(
            self._reader, [*self._reader.made, *self._head.head_statements], call
        )
        return Model(head, self._all_imports(), above, below, tuple(edits))

    def _of_columns(self, error: UnknownValue) -> Model:
        """Returns a model that takes the feature columns themselves, in the place of the call.

        Args:
          error: Reason why the columns cannot become layers.

        Raises:
          UnknownValue: Such a model does not compute the same either.
        """
        args, self._in_place = self._job.arguments, True
        names = [match.name for match in self._file.names()]
        if self._file.plan.program.uses(_is_shared) or any(map(_is_shared, names)):
            raise error  # TensorFlow makes columns that share a table only in graphs.
        is_combined = self._kind == "DNNLinearCombined"
        prefixes = {"linear": "linear_", "dnn": "dnn_"} if is_combined else {self._kind.lower(): ""}
        sides = [
            _Side(name, prefix, [])
            for name, prefix in prefixes.items()
            if f"{prefix}feature_columns" in args
        ]
        if not sides:
            raise error
        models = [self._column_model(side) for side in sides]
        body = models[0]
        if len(models) > 1:
            body = f"{self._module('column_models')}.WideAndDeep({', '.join(models)})"
        below = (self._compile_statement(sides),)
        edits = new_functions.without(
            self._reader, self._head.head_statements, self._job.construction.call
        )
        return Model(self._head.text(body), self._all_imports(), below=below, edits=tuple(edits))

    def _column_model(self, side: _Side) -> str:
        """Returns the expression of a model of feature columns."""
        prefix, units = side.arguments, self._head.units(self._text)
        keys = {"sparse_combiner": f"{prefix}sparse_combiner"}
        parts = [self._text(f"{prefix}feature_columns")]
        if side.name == "dnn":
            keys = {
                "activation": f"{prefix}activation_fn",
                "dropout": f"{prefix}dropout",
                "batch_norm": "batch_norm",
            }
            if f"{prefix}hidden_units" not in self._job.arguments:
                raise UnknownValue(f"it has no {prefix}hidden_units")
            parts.append(self._text(f"{prefix}hidden_units"))
        parts += [] if units == "1" else [f"units={units}"]
        parts += [
            f"{name}={self._text(key)}"
            for name, key in keys.items()
            if key in self._job.arguments or (name == "activation" and key in self._nones)
        ]
        kind = "Deep" if side.name == "dnn" else "Linear"
        return f"{self._module('column_models')}.{kind}({', '.join(parts)})"

    def _function(self) -> str:
        """Returns the name of the function that builds the model, unique for each Estimator."""
        file, name = self._file, "build_model"
        if sum(match.name in NAMES and match.call is not None for match in file.names()) > 1:
            suffix = self._job.construction.name or _snake_case(self._class)
            name = f"build_{re.sub(r'[^a-zA-Z0-9]+', '_', suffix)}"
        return file.new_name(name, ("the model of", self._job.construction.call))

    def _sides(self) -> list[_Side]:
        args = self._job.arguments
        if self._kind != "DNNLinearCombined":
            name = "dnn" if self._kind == "DNN" else "linear"
            if "feature_columns" not in args:
                raise UnknownValue("it has no feature_columns")
            columns = self._reader.of(args["feature_columns"])
            return [_Side(name, "", preprocessing.in_order(columns))]
        sides = []
        for name in ("linear", "dnn"):
            if f"{name}_feature_columns" in args:
                columns = self._reader.of(args[f"{name}_feature_columns"])
                sides.append(_Side(name, f"{name}_", preprocessing.in_order(columns)))
        return sides

    def _body(self, sides: list[_Side]) -> tuple[Layers, list[str]]:
        """Returns the layers, and the statements that build a model from features to logits."""
        modules = Modules(
            self._tf, self._keras, bridged_configs.module(self._file, "column_layers")[0]
        )
        columns = [column for side in sides for column in side.columns]
        layers = Layers(self._reader, modules, columns)
        statements: list[str] = []
        logits = []
        for side in sides:
            lines, result = (self._linear if side.name == "linear" else self._dnn)(side, layers)
            statements += lines
            logits.append(result)
        total = logits[0] if len(logits) == 1 else f"{self._keras}.layers.add([wide, deep])"
        doc = f'"""Returns a model from features to logits, like {self._class}."""'
        lines = [
            doc,
            *layers.lines(),
            *statements,
            f"return {modules.columns}.FromFeatures(inputs, {total})",
        ]
        new_functions.check_names(self._reader, lines)
        return layers, lines

    def _linear(self, side: _Side, layers: Layers) -> tuple[list[str], str]:
        sizes, entries = [], []
        for column in side.columns:
            name = texts.quoted(column.name)
            if column.is_categorical:
                sizes.append(f"{name}: {layers.size(column)}")
                ids, weights = layers.ids(column), layers.weights(column)
                entries.append(f"{name}: ({ids}, {weights})" if weights else f"{name}: {ids}")
            else:
                entries.append(f"{name}: {layers.dense(column, 'linear/')}")
        parts = [self._head.units(self._text), f"{{{', '.join(sizes)}}}"]
        key = f"{side.arguments}sparse_combiner"
        if key in self._job.arguments:
            parts.append(f"sparse_combiner={self._text(key)}")
        parts.append('name="linear/linear_model"')
        module = bridged_configs.module(self._file, "column_layers")[0]
        statement = f"linear = {module}.Linear({', '.join(parts)})"
        return [statement, f"wide = linear({{{', '.join(entries)}}})"], "wide"

    def _dnn(self, side: _Side, layers: Layers) -> tuple[list[str], str]:
        keras = f"{self._keras}.layers"
        parts = [layers.dense(column, "dnn/") for column in side.columns]
        lines = [f"deep = {parts[0]}"]
        if len(parts) > 1:
            lines = [f"deep = {keras}.Concatenate()([{', '.join(parts)}])"]
        for size, number, indent, loop in self._hidden(side):
            lines += loop
            place = f"{{{number}}}" if loop else number
            name = f'{"f" if loop else ""}"dnn/hiddenlayer_{place}"'
            activation = self._activation(side)
            dense = f"Dense({size}{activation}, name={name})"
            lines.append(f"{indent}deep = {keras}.{dense}(deep)")
            if f"{side.arguments}dropout" in self._job.arguments:
                rate = self._text(f"{side.arguments}dropout")
                lines.append(f"{indent}deep = {keras}.Dropout({rate})(deep)")
            if self._is_normalized():
                name = f'{name[:-1]}/batchnorm_{place}"'
                lines.append(f"{indent}deep = {keras}.{_BATCH_NORM.format(name)}(deep)")
        last = f'deep = {keras}.Dense({self._head.units(self._text)}, name="dnn/logits")(deep)'
        return [*lines, last], "deep"

    def _hidden(self, side: _Side) -> Iterator[tuple[str, str, str, list[str]]]:
        """Yields size, number, indentation and enclosing loop of each hidden layer."""
        key = f"{side.arguments}hidden_units"
        if key not in self._job.arguments:
            raise UnknownValue(f"it has no {key}")
        text = self._text(key)
        try:
            node, env = self._reader.follow(self._job.arguments[key], Env())
        except UnknownValue:
            node, env = self._job.arguments[key], Env()
        if isinstance(node, (ast.List, ast.Tuple)) and not any(
            isinstance(value, ast.Starred) for value in node.elts
        ):
            for number, value in enumerate(node.elts):
                yield self._reader.text(value, env), str(number), "", []
            return
        size = "units"
        while size in self._reader.named:
            size += "_"
        yield size, "index", "    ", [f"for index, {size} in enumerate({text}):"]

    def _activation(self, side: _Side) -> str:
        key = f"{side.arguments}activation_fn"
        if key in self._nones:
            return ""
        return f", {self._text(key)}" if key in self._job.arguments else ', "relu"'

    def _is_normalized(self) -> bool:
        node = self._job.arguments.get("batch_norm")
        return node is not None and bool(self._reader.literal(node, Env()))

    def _text(self, name: str) -> str:
        """Returns the text of an argument at the place of the model."""
        if name in self._nones:
            return "None"
        node = self._job.arguments[name]
        return self._file.segment(node) if self._in_place else self._reader.text(node, Env())

    # The optimizer.

    def _compile_statement(self, sides: list[_Side]) -> str:
        text = self._compile_call(sides)
        indent = self._file.indent(self._job.construction.statement.lineno)
        return self._file.newline.join(wrapping.wrapped(indent + text)).removeprefix(indent)

    def _compile_call(self, sides: list[_Side]) -> str:
        name = self._job.name
        if len(sides) < 2:
            prefix = sides[0].arguments if sides else ""
            count = len(sides[0].columns) if sides else 0
            return f"{name}.compile({self._optimizer(prefix, self._kind, count)})"
        entries = [
            f'"{side.name}": {self._optimizer(side.arguments, self._kind, len(side.columns))}'
            for side in sides
        ]
        return f"{name}.compile({self._module('optimizers')}.ByLayer({{{', '.join(entries)}}}))"

    def _optimizer(self, prefix: str, kind: str, columns: int) -> str:
        """Returns the optimizer of a side. The defaults are those of the Estimators."""
        node = self._job.arguments.get(f"{prefix}optimizer")
        is_linear = kind == "Linear" or prefix == "linear_"
        if kind == "DNNLinearCombined":
            # Fewer than 40,000 columns do not lower the rate of the linear side.
            rate = "0.005" if is_linear else "0.001"
        elif kind == "Linear":
            rate = self._default_rate(columns) if "optimizer" in self._nones else "0.2"
        elif kind == "Baseline":
            rate = "0.3"
        else:
            rate = "0.05" if self._head.is_v1 else ""
        if node is None:
            default = "Adagrad" if "dnn" in (prefix, prefix[:3]) or kind == "DNN" else "Ftrl"
            node = ast.Constant(default)
        optimizers = canned_optimizers.Optimizers(self._reader, self._keras, self._head.is_v1)
        text = optimizers.text(node, rate)
        self._imports += [module for module in optimizers.imports if module not in self._imports]
        return text

    def _default_rate(self, columns: int) -> str:
        """Returns the learning rate of a linear model with `optimizer=None`."""
        if columns:
            return str(min(0.2, columns**-0.5))
        node = self._job.arguments["feature_columns"]
        if not isinstance(node, ast.Name):
            raise UnknownValue("the number of its feature columns is unknown")
        return f"min(0.2, len({node.id}) ** -0.5)"


CARRIER = Carrier(_model, "porting")
