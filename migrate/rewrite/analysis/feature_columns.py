r"""Reads the feature columns of a file, where the file defines them completely.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "column = tf.feature_column\n"
...     "ages = [column.bucketized_column(column.numeric_column('age'), [18, 30])]\n"
...     "use(ages)\n"
... )
>>> reader = Columns(file)
>>> [column.name for column in reader.of(file.tree.body[-1].value.args[0])]
['age_bucketized']
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, NamedTuple

from migrate.rewrite.analysis import estimator_uses, mutations
from migrate.rewrite.analysis.dataflow import Env, Reader, UnknownValue
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.source_file import SourceFile

_OPTIONS = ("combiner", "initializer")
# The parameters that are the same in each version, in their order. Others are keyword-only.
_PARAMETERS = {
    "bucketized_column": ("source_column", "boundaries"),
    "categorical_column_with_hash_bucket": ("key", "hash_bucket_size", "dtype"),
    "categorical_column_with_identity": ("key", "num_buckets", "default_value"),
    "categorical_column_with_vocabulary_file": ("key", "vocabulary_file", "vocabulary_size"),
    "categorical_column_with_vocabulary_list": (
        "key",
        "vocabulary_list",
        "dtype",
        "default_value",
        "num_oov_buckets",
    ),
    "crossed_column": ("keys", "hash_bucket_size", "hash_key"),
    "embedding_column": ("categorical_column", "dimension", *_OPTIONS),
    "indicator_column": ("categorical_column",),
    "numeric_column": ("key", "shape", "default_value", "dtype", "normalizer_fn"),
    "shared_embedding_columns": ("categorical_columns", "dimension", *_OPTIONS),
    "shared_embeddings": ("categorical_columns", "dimension", *_OPTIONS),
    "weighted_categorical_column": ("categorical_column", "weight_feature_key", "dtype"),
}
# The number of parameters without a default. Other functions have two.
_REQUIRED = {"indicator_column": 1, "numeric_column": 1}
_SHARED = (
    "shared_embedding_collection_name",
    "trainable",
    "use_safe_embedding_lookup",
)
_SUPPORTED = {
    "categorical_column_with_vocabulary_file": ("dtype", "default_value", "num_oov_buckets"),
    "embedding_column": ("trainable", "use_safe_embedding_lookup"),
    "shared_embedding_columns": _SHARED,
    "shared_embeddings": _SHARED,
}
# Categorical columns, which go into other columns. A bucketized_column can be either kind.
CATEGORICAL = frozenset(
    name for name in _PARAMETERS if name.startswith(("categorical_", "crossed_", "weighted_"))
)
_MODULES = ("tf.feature_column.",)
_SPARSE = (
    "tf.RaggedTensor",
    "tf.SparseFeature",
    "tf.SparseTensor",
    "tf.VarLenFeature",
    "tf.estimator.classifier_parse_example_spec",
    "tf.estimator.regressor_parse_example_spec",
    "tf.feature_column.make_parse_example_spec",
    "tf.io.RaggedFeature",
    "tf.io.SparseFeature",
    "tf.io.VarLenFeature",
    "tf.ragged.",
    "tf.sparse.",
    "tf.sparse_",
    "tf.string_split",
    "tf.strings.split",
)


class Column(NamedTuple):
    """A feature column.

    Attributes:
      kind: Function that makes it, such as "numeric_column".
      name: Its name, by which columns are sorted.
      arguments: Its arguments by the names of the parameters, without those that are None.
      env: Env of the arguments.
      sources: Columns that it is made of. A crossed column may also list names of features.
      shared: Name of the table that it shares with others, or "" for most columns.
    """

    kind: str
    name: str
    arguments: dict[str, ast.expr]
    env: Env
    sources: tuple[Column | str, ...] = ()
    shared: str = ""

    @property
    def is_categorical(self) -> bool:
        """True if it gives ids, for which a linear model looks up weights."""
        return self.kind in CATEGORICAL or self.kind == "bucketized_column"


class Columns(Reader):
    """Reads the feature columns of a file.

    Attributes:
      made: Statements that only make columns.
    """

    def __init__(self, file: SourceFile, scope: ast.AST | None = None) -> None:
        """Starts with no columns. The arguments are those of `Reader`."""
        super().__init__(file, scope)
        self.made: list[ast.stmt] = []

    def of(self, node: ast.expr, env: Env | None = None) -> list[Column]:
        """Returns the columns in an expression that is a list of columns.

        Raises:
          UnknownValue: They cannot be determined.
        """
        env = env or Env()
        columns = self._named_list(node, env) if isinstance(node, ast.Name) else None
        if columns is not None:
            return columns
        node, env = self._resolve(node, env)
        if isinstance(node, ast.Name):
            return self.of(node, env)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return [column for value in node.elts for column in self._element(value, env)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return [*self.of(node.left, env), *self.of(node.right, env)]
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            (loop, *inner_loops) = node.generators
            if not inner_loops and not loop.ifs:
                loop_envs = self.each(loop, env)
                return [
                    column for loop_env in loop_envs for column in self._element(node.elt, loop_env)
                ]
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "set"):
                return self.of(node.args[0], env) if len(node.args) == 1 else []
            kind = self._function(node)
            if kind.startswith("shared_embedding"):
                return self._shared_columns(node, kind, env)
            if kind:
                return [self.column(node, env)]
        raise UnknownValue(
            f"the feature columns in {_short(node)} in line {_line(node)} are unknown"
        )

    def _resolve(self, node: ast.expr, env: Env) -> tuple[ast.expr, Env]:
        """Follows names and functions of the file to the expression that makes columns."""
        count = len(self.statements)
        result = self.result_of(*self.follow(node, env))
        self.made += self.statements[count:]
        return result

    def _element(self, node: ast.expr, env: Env) -> list[Column]:
        if isinstance(node, ast.Starred):
            return self.of(node.value, env)
        return [self.column(node, env)]

    def _named_list(self, node: ast.Name, env: Env) -> list[Column] | None:
        """Returns the columns of a list that is filled step by step. None for other names."""
        if node.id in env.names:
            return None
        owner = bindings.scope(self.file, node)
        uses = [
            use
            for use in self.file.nodes
            if isinstance(use, ast.Name)
            and use.id == node.id
            and bindings.scope(self.file, use) is owner
        ]
        if bindings.is_rebound_indirectly(self.file, node):
            raise UnknownValue(f"the value of {node.id} in line {node.lineno} is unknown")
        steps: list[ast.stmt] = []
        for name_node in uses:
            parent = self.file.parent(name_node)
            if isinstance(parent, (ast.Assign, ast.AugAssign)) and isinstance(
                name_node.ctx, ast.Store
            ):
                steps.append(parent)
            elif isinstance(parent, ast.Attribute) and parent.attr in ("append", "extend"):
                steps.append(self.file.statement(name_node))
        steps.sort(key=lambda step: self.file.span(step))
        if len(steps) < 2:  # `of` reads a name with a single assignment.
            return None
        for place in mutations.places(self.file, node):
            if self.file.statement(place) not in steps:
                raise UnknownValue(f"{ast.unparse(place)} changes in line {place.lineno}")
        columns: list[Column] = []
        block = self.file.parent(steps[0])
        for step in steps:
            columns = self._after_step(step, columns, block)
        return columns

    def _after_step(
        self, step: ast.stmt, columns: list[Column], block: ast.AST | None
    ) -> list[Column]:
        """Returns the columns of a list after a statement that makes or fills it."""
        parent = self.file.parent(step)
        self.made.append(step)
        if isinstance(parent, ast.For) and self.file.parent(parent) is block and not parent.orelse:
            siblings = [statement for statement in parent.body if statement is not step]
            if all(_binds_once(statement) for statement in siblings):
                self.made.append(parent)
                new_columns = [
                    c for env in self.each(parent, Env()) for c in self._added_columns(step, env)
                ]
                return [*columns, *new_columns]
        if parent is not block:
            raise UnknownValue(f"the statement in line {step.lineno} may not run")
        if isinstance(step, ast.Assign):
            if columns:
                raise UnknownValue(f"the list is assigned again in line {step.lineno}")
            return self.of(step.value)
        return [*columns, *self._added_columns(step, Env())]

    def _added_columns(self, step: ast.stmt, env: Env) -> list[Column]:
        """Returns the columns that a statement adds to a list."""
        if isinstance(step, ast.AugAssign) and isinstance(step.op, ast.Add):
            return self.of(step.value, env)
        call = step.value if isinstance(step, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args:
            is_append = call.func.attr == "append"
            return [self.column(call.args[0], env)] if is_append else self.of(call.args[0], env)
        raise UnknownValue(f"the columns that are added in line {step.lineno} are unknown")

    def _function(self, call: ast.Call) -> str:
        """Returns the name of the called function of tf.feature_column, or "" for other calls."""
        name = self.file.name_of(call.func) or ""
        for module in _MODULES:
            if name.startswith(module):
                return name.removeprefix(module)
        return ""

    def column(self, node: ast.expr, env: Env) -> Column:
        """Returns the column that an expression is.

        Raises:
          UnknownValue: It cannot be determined, or its kind is not supported.
        """
        node, env = self._resolve(node, env)
        node, env = self._resolve(node, env)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            columns, index = self.of(node.value, env), node.slice.value
            if isinstance(index, int) and index < len(columns):
                return columns[index]
        kind = self._function(node) if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or not kind:
            raise UnknownValue(
                f"the feature column {_short(node)} in line {_line(node)} is unknown"
            )
        args = self._arguments(node, kind)
        if "key" in args:
            return Column(kind, self._key(args["key"], env), args, env)
        if kind == "crossed_column":
            sources = self._crossed_sources(args, env)
            leaves = sorted(name for column in sources for name in _leaves(column))
            return Column(kind, "_X_".join(leaves), args, env, sources)
        source = self.column(args.get("categorical_column") or args["source_column"], env)
        name = f"{source.name}_{kind.removesuffix('_column')}"
        if kind == "weighted_categorical_column":
            name = f"{source.name}_weighted_by_{self._key(args['weight_feature_key'], env)}"
        return Column(kind, name, args, env, (source,))

    def _arguments(self, call: ast.Call, kind: str) -> dict[str, ast.expr]:
        names = _PARAMETERS.get(kind)
        args = arguments.bind(call, names) if names else None
        if names is None:
            raise UnknownValue(
                f"no Keras layer replaces tf.feature_column.{kind} in line {call.lineno}"
            )
        if args is None:
            raise UnknownValue(
                f"the arguments of tf.feature_column.{kind} in line {call.lineno} are unknown"
            )
        args = estimator_uses.without_none(args)
        missing = [name for name in names[: _REQUIRED.get(kind, 2)] if name not in args]
        if missing:
            raise UnknownValue(
                f"the argument {missing[0]} of tf.feature_column.{kind} in line {call.lineno} is "
                "missing"
            )
        unsupported = sorted(set(args) - {*names, *_SUPPORTED.get(kind, ())})
        if unsupported:
            raise UnknownValue(
                f"no Keras layer supports {unsupported[0]} of tf.feature_column.{kind} in line "
                f"{call.lineno}"
            )
        return args

    def _shared_columns(self, call: ast.Call, kind: str, env: Env) -> list[Column]:
        args = self._arguments(call, kind)
        sources = self.of(args["categorical_columns"], env)
        name = "_".join(sorted(column.name for column in sources)) + "_shared_embedding"
        if "shared_embedding_collection_name" in args:
            name = self._key(args["shared_embedding_collection_name"], env)
        return [
            Column(
                "shared_embeddings", f"{column.name}_shared_embedding", args, env, (column,), name
            )
            for column in sources
        ]

    def _crossed_sources(self, args: dict[str, ast.expr], env: Env) -> tuple[Column | str, ...]:
        keys, inner = self.follow(args["keys"], env)
        if not isinstance(keys, (ast.List, ast.Tuple, ast.Set)):
            raise UnknownValue(f"the keys of the crossed_column in line {_line(keys)} are unknown")
        columns: list[Column | str] = []
        for key in keys.elts:
            try:
                columns.append(self._key(key, inner))
            except UnknownValue:
                columns.append(self.column(key, inner))
        return tuple(columns)

    def _key(self, node: ast.expr, env: Env) -> str:
        key: Any = self.literal(node, env)
        if not isinstance(key, str):
            raise UnknownValue(f"the name of the feature in line {_line(node)} is unknown")
        return key


def refuse_sparse(file: SourceFile, columns: Iterable[Column]) -> None:
    """Checks that nothing in a file makes sparse features for columns that take ids.

    Raises:
      UnknownValue: A function in the file may make such features.
    """
    ids = [
        column for column in columns if column.kind not in ("numeric_column", "bucketized_column")
    ]
    for match in file.names():
        if ids and match.name.startswith(_SPARSE):
            raise UnknownValue(
                f"the column {ids[0].name} may get sparse features from {match.name}"
            )


def _leaves(source: Column | str) -> list[str]:
    if isinstance(source, str):
        return [source]
    if source.kind == "crossed_column":
        return [name for column in source.sources for name in _leaves(column)]
    return [source.name]


def _binds_once(statement: ast.stmt) -> bool:
    """Says whether a statement only assigns to one name."""
    return isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) < 40 else f"{text[:36]}..."
