"""Writes Keras preprocessing layers for feature columns.

    layers = Layers(reader, modules, columns)
    parts = [layers.dense(column) for column in in_order(columns)]
    lines = layers.lines()  # Statements that precede an expression of the parts.

The layers give the same ids as the columns, so an old embedding table fits row by row. A negative
id stands for values that columns skip: "", -1, and words that are in no vocabulary.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, NamedTuple

from migrate.rewrite.analysis.dataflow import Reader, UnknownValue
from migrate.rewrite.analysis.feature_columns import Column
from migrate.rewrite.engine import texts

_UNKNOWN = "the crossed feature {!r} may not contain strings"
_MISSING = {"string": '""', "int64": "-1"}
_TYPES = {"tf.string": "string", "tf.int64": "int64", "tf.int32": "int64"}


class Modules(NamedTuple):
    """The names of modules in a file.

    Attributes:
      tf: Name of TensorFlow 2.
      keras: Name of tf_keras.
      columns: Name of modern.porting.column_layers.
    """

    tf: str
    keras: str
    columns: str


class _Input(NamedTuple):
    """The requirements of columns on a feature. "" accepts any shape, or any type."""

    shape: str = ""
    dtype: str = ""
    is_number: bool = False


class Layers:
    """The layers of one model.

    Attributes:
      problems: Reasons why they may not compute the same.
    """

    def __init__(self, reader: Reader, modules: Modules, columns: Iterable[Column]) -> None:
        """Collects the inputs of the model.

        Args:
          reader: Reader of the file.
          modules: Names of modules in the file.
          columns: All columns to write.

        Raises:
          UnknownValue: A fact that matters cannot be determined from the file.
        """
        self.problems: list[str] = []
        self._reader, self._modules = reader, modules
        self._layers = f"{modules.keras}.layers"
        self._inputs: dict[str, _Input] = {}
        self._before: dict[str, str] = {}  # Values of variables that are assigned first.
        self._ids: dict[str, str] = {}  # Expressions of ids, by the column's name.
        self._columns_by_name: dict[str, Column] = {}
        for column in columns:
            self._add_requirements(column)
        for key, requirement in self._inputs.items():
            if not requirement.dtype and not requirement.is_number:
                self._inputs[key] = requirement._replace(dtype="string")
                self.problems.append(_UNKNOWN.format(key))

    def lines(self) -> list[str]:
        """Returns the statements that bind `inputs`, and `ids` if there are any."""
        statements = ["inputs = {"]
        for key, requirement in self._inputs.items():
            kind = (
                ""
                if requirement.dtype in ("", "float32")
                else f", dtype={texts.quoted(requirement.dtype)}"
            )
            shape = requirement.shape or "[None]"
            statements.append(
                f"    {texts.quoted(key)}: {self._modules.keras}.Input({shape}, "
                f"name={texts.quoted(key)}{kind}),"
            )
        statements += ["}", *(f"{name} = {text}" for name, text in self._before.items())]
        independent = {name: text for name, text in self._ids.items() if "ids[" not in text}
        if self._ids:
            statements += [
                "ids = {",
                *(f"    {texts.quoted(name)}: {independent[name]}," for name in independent),
                "}",
            ]
        dependent = [name for name in self._ids if name not in independent]
        return [
            *statements,
            *(f"ids[{texts.quoted(name)}] = {self._ids[name]}" for name in dependent),
        ]

    def _add_requirements(self, column: Column) -> None:
        """Records the requirements of a column on the features."""
        if column.kind == "numeric_column":
            shape = ", ".join(map(str, self._shape(column)))
            self._require(self._literal(column, "key"), f"[{shape}]", is_number=True)
        elif "key" in column.arguments:
            self._require(self._literal(column, "key"), dtype=self._dtype(column))
        elif column.kind == "weighted_categorical_column":
            self._require(self._literal(column, "weight_feature_key"), dtype="float32")
        for source in column.sources:
            if isinstance(source, str):
                self._require(source, "[1]")
            else:
                self._add_requirements(source)

    def _require(self, key: str, shape: str = "", dtype: str = "", is_number: bool = False) -> None:
        old = self._inputs.get(key, _Input())
        if (shape and old.shape not in ("", shape)) or (dtype and old.dtype not in ("", dtype)):
            raise UnknownValue(f"columns disagree about the shape or type of the feature {key!r}")
        new = (shape or old.shape, dtype or old.dtype, is_number or old.is_number)
        self._inputs[key] = _Input(*new)

    def _input(self, column: Column) -> str:
        return f"inputs[{texts.quoted(self._literal(column, 'key'))}]"

    # Arguments.

    def _literal(self, column: Column, name: str, default: Any = None) -> Any:
        if name not in column.arguments:
            return default
        return self._reader.literal(column.arguments[name], column.env)

    def _text(self, column: Column, name: str) -> str:
        return self._reader.text(column.arguments[name], column.env)

    def _shape(self, column: Column) -> list[int]:
        shape = self._literal(column, "shape", [1])
        return list(shape) if isinstance(shape, (list, tuple)) else [shape]

    def _dtype(self, column: Column) -> str:
        """Returns the type of a categorical column's feature: "string" or "int64"."""
        if column.kind == "categorical_column_with_identity":
            return "int64"
        if "dtype" in column.arguments:
            node, _ = self._reader.follow(column.arguments["dtype"], column.env)
            name = self._reader.file.name_of(node) or ""
            if name not in _TYPES:
                raise UnknownValue(
                    f"the type {ast.unparse(node)} of the column {column.name} is not supported"
                )
            return _TYPES[name]
        if column.kind != "categorical_column_with_vocabulary_list":
            return "string"
        words = self._literal(column, "vocabulary_list")
        kinds = {type(word) for word in words}
        if kinds - {str} and kinds - {int}:
            raise UnknownValue(f"the vocabulary of the column {column.name} mixes types")
        if "" in words or -1 in words:
            raise UnknownValue(
                f'the vocabulary of {column.name} contains "" or -1, which stand for missing values'
            )
        return "string" if kinds == {str} else "int64"

    def size(self, column: Column) -> str:
        """Returns the expression of the number of ids of a categorical column."""
        if column.kind == "bucketized_column":
            return texts.times(self._bucket_count(column), self._width(column))
        if column.kind == "weighted_categorical_column":
            return self.size(_source(column))
        if column.kind.startswith("categorical_column_with_vocabulary"):
            oov_buckets = self._literal(column, "num_oov_buckets", 0)
            return texts.plus(self._vocabulary_size(column), oov_buckets)
        name = "num_buckets" if "num_buckets" in column.arguments else "hash_bucket_size"
        return self._text(column, name)

    def _width(self, column: Column) -> int:
        """Returns the number of values per example in the source of a bucketized column."""
        shape = self._shape(_source(column))
        if len(shape) != 1:
            raise UnknownValue(
                f"the source of the bucketized column {column.name} is not one-dimensional"
            )
        return shape[0]

    def _bucket_count(self, column: Column) -> str:
        boundaries, _ = self._reader.follow(column.arguments["boundaries"], column.env)
        if isinstance(boundaries, (ast.List, ast.Tuple)):
            return str(len(boundaries.elts) + 1)
        return f"len({self._text(column, 'boundaries')}) + 1"

    def _vocabulary(self, column: Column) -> str:
        """Returns the expression of a vocabulary."""
        if "vocabulary_list" in column.arguments:
            return self._text(column, "vocabulary_list")
        name = self._variable(column, "words")
        path = self._text(column, "vocabulary_file")
        end = ""
        if "vocabulary_size" in column.arguments:
            end = f"[:{self._text(column, 'vocabulary_size')}]"
        tf = self._modules.tf
        self._before[name] = f"{tf}.io.gfile.GFile({path}).read().splitlines(){end}"
        return name

    def _vocabulary_size(self, column: Column) -> str:
        try:
            return str(len(self._literal(column, "vocabulary_list", None)))
        except (UnknownValue, TypeError):
            return f"len({self._vocabulary(column)})"

    def _variable(self, column: Column, suffix: str) -> str:
        name = texts.identifier(f"{column.name}_{suffix}")
        while self._columns_by_name.setdefault(name, column) != column:
            name += "_"
        return name

    # Ids.

    def ids(self, column: Column) -> str:
        """Returns the expression of a categorical column's ids, (batch, n)."""
        if column.kind == "weighted_categorical_column":
            column = _source(column)
        name = column.name
        while self._columns_by_name.setdefault(name, column) != column:
            name += "_"  # Several columns of one feature may have the same name.
        if name not in self._ids:
            self._ids[name] = self._ids_expression(column)
        return f"ids[{texts.quoted(name)}]"

    def weights(self, column: Column) -> str:
        """Returns the expression of the ids' weights, or "" if all weights are one."""
        if column.kind != "weighted_categorical_column":
            return ""
        return f"inputs[{texts.quoted(self._literal(column, 'weight_feature_key'))}]"

    def _ids_expression(self, column: Column) -> str:
        if column.kind == "bucketized_column":
            buckets, width = self._buckets(column), self._width(column)
            if width == 1:
                return buckets
            size = self._bucket_count(column)
            return f"{buckets} + [{', '.join(texts.times(size, i) for i in range(width))}]"
        if column.kind == "crossed_column":
            return self._crossing(column)
        if column.kind == "categorical_column_with_hash_bucket":
            # The layer gives the mask value the id 0. After the subtraction it is -1, and left out.
            mask = _MISSING[self._dtype(column)]
            size = texts.plus(self._text(column, "hash_bucket_size"), 1)
            return f"{self._layers}.Hashing({size}, mask_value={mask})({self._input(column)}) - 1"
        if column.kind == "categorical_column_with_identity":
            return self._identity(column)
        return self._lookup(column)

    def _identity(self, column: Column) -> str:
        feature = self._input(column)
        if "default_value" not in column.arguments:
            return feature
        tf, size = self._modules.tf, self._text(column, "num_buckets")
        default = f"{tf}.constant({self._text(column, 'default_value')}, {tf}.int64)"
        return f"{tf}.where(({feature} >= -1) & ({feature} < {size}), {feature}, {default})"

    def _lookup(self, column: Column) -> str:
        """Returns the expression of word positions in a vocabulary."""
        dtype, feature = self._dtype(column), self._input(column)
        layer = f"{self._layers}.{'StringLookup' if dtype == 'string' else 'IntegerLookup'}"
        default = self._literal(column, "default_value", -1)
        oov_buckets, words = self._literal(column, "num_oov_buckets", 0), self._vocabulary(column)
        if default == -1 and not oov_buckets:
            return f"{layer}(vocabulary={words})({feature}) - 1"
        if dtype != "string":
            raise UnknownValue(
                f"no Keras layer maps unknown integers like the column {column.name}"
            )
        tf, positions = self._modules.tf, self._variable(column, "found")
        missing_id = f"{tf}.constant(-1, {tf}.int64)"
        lookup = (
            f'{layer}(vocabulary={words}, num_oov_indices={max(oov_buckets, 1)}, mask_token="")'
        )
        self._before[positions] = f"{lookup}({feature})"  # 0 is "", then unknown words, then words.
        if oov_buckets:
            index = f"{tf}.math.floormod({positions} - {oov_buckets + 1}, {self.size(column)})"
        else:
            unknown = f"{tf}.constant({default}, {tf}.int64)"
            index = f"{tf}.where({positions} > 1, {positions} - 2, {unknown})"
        return f"{tf}.where({positions} > 0, {index}, {missing_id})"

    def _crossing(self, column: Column) -> str:
        if "hash_key" in column.arguments:
            raise UnknownValue(
                f"the column {column.name} has a hash_key, which HashedCrossing does not support"
            )
        inputs = []
        # The original operation took the sparse values of columns before dense features.
        for source in sorted(_leaves(column), key=lambda source: isinstance(source, str)):
            if isinstance(source, str):
                inputs.append(f"inputs[{texts.quoted(source)}]")
            elif source.kind == "bucketized_column" and self._width(source) == 1:
                inputs.append(self.ids(source))
            else:
                raise UnknownValue(
                    f"no Keras layer crosses missing values of {source.name} like the column "
                    f"{column.name}"
                )
        size = self._text(column, "hash_bucket_size")
        return f"{self._layers}.HashedCrossing({size})([{', '.join(inputs)}])"

    # Numbers.

    def dense(self, column: Column, scope: str) -> str:
        """Returns the expression of a dense column, (batch, n).

        Args:
          column: The column.
          scope: Prefix of the names of its variables, with a slash.

        Raises:
          UnknownValue: No layers compute the same.
        """
        if column.kind == "numeric_column":
            number = self._number(column)
            is_flat = len(self._shape(column)) == 1
            return number if is_flat else f"{self._layers}.Flatten()({number})"
        if column.kind == "bucketized_column":
            self._width(column)
            tf, size = self._modules.tf, self._bucket_count(column)
            return f"{self._layers}.Flatten()({tf}.one_hot({self._buckets(column)}, {size}))"
        if column.kind == "indicator_column":
            return self._indicator(_source(column))
        if column.kind in ("embedding_column", "shared_embeddings"):
            return self._embedding(column, scope)
        raise UnknownValue(f"no Keras layer turns {column.name}, a {column.kind}, into numbers")

    def _number(self, column: Column) -> str:
        feature = self._input(column)
        requirement = self._inputs[self._literal(column, "key")]
        if requirement.dtype not in ("", "float32"):
            feature = f"{self._modules.tf}.cast({feature}, {self._modules.tf}.float32)"
        if "normalizer_fn" in column.arguments:
            return f"{self._layers}.Lambda({self._text(column, 'normalizer_fn')})({feature})"
        return feature

    def _buckets(self, column: Column) -> str:
        boundaries = self._text(column, "boundaries")
        if not boundaries.startswith("["):
            boundaries = f"list({boundaries})"
        number = self._number(_source(column))
        return f"{self._layers}.Discretization({boundaries})({number})"

    def _indicator(self, source: Column) -> str:
        """Returns the expression that counts each id in an example."""
        if source.kind == "weighted_categorical_column":
            raise UnknownValue(
                f"an indicator_column of the weighted column {source.name} is not supported"
            )
        tf = self._modules.tf
        return f"{tf}.reduce_sum({tf}.one_hot({self.ids(source)}, {self.size(source)}), axis=1)"

    def _embedding(self, column: Column, scope: str) -> str:
        source = _source(column)
        parts = [self.size(source), self._text(column, "dimension")]
        if "initializer" in column.arguments:
            parts.append(self._text(column, "initializer"))
        parts += [
            f"{k}={self._text(column, k)}"
            for k in ("combiner", "trainable")
            if k in column.arguments
        ]
        name = column.shared or column.name
        parts.append(f"name={texts.quoted(texts.scope_name(scope + name))}")
        layer = f"{self._modules.columns}.EmbeddingBag({', '.join(parts)})"
        if column.shared:
            variable = texts.identifier(column.shared)
            self._before.setdefault(variable, layer)
            layer = variable
        weights = self.weights(source)
        return f"{layer}({self.ids(source)}{f', weights={weights}' if weights else ''})"


def in_order(columns: Iterable[Column]) -> list[Column]:
    """Returns columns sorted by name, like input_layer and linear models do.

    Raises:
      UnknownValue: Two columns have the same name, which is an error of the program.
    """
    ordered = sorted(columns, key=lambda column: column.name)
    for column, successor in zip(ordered, ordered[1:], strict=False):
        if column.name == successor.name:
            raise UnknownValue(f"two columns have the name {column.name!r}")
    return ordered


def _leaves(column: Column) -> list[Column | str]:
    columns: list[Column | str] = []
    for source in column.sources:
        if isinstance(source, Column) and source.kind == "crossed_column":
            columns += _leaves(source)
        else:
            columns.append(source)
    return columns


def _source(column: Column) -> Column:
    (source,) = column.sources
    assert isinstance(source, Column)
    return source
