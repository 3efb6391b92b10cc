"""Tells tensors, and other parts of a graph, from plain values.

    values = TensorValues(file)
    values.kind(node) == TENSOR

A part of a graph is a tensor, a variable, a dataset, a `tf.train.Saver` or a session: a value that
code outside of its graph cannot use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.parsed_text import Function
from migrate.rewrite.engine.source_file import SourceFile

# A plain value, a value that another file computes, and a part of a graph: the last one wins.
PLAIN, UNKNOWN, TENSOR = 0, 1, 2
_PLAIN_CALLS = (
    *("tf.ConfigProto", "tf.DType", "tf.GPUOptions", "tf.Graph", "tf.GraphDef", "tf.GraphOptions"),
    *("tf.HistogramProto", "tf.MetaGraphDef", "tf.OptimizerOptions", "tf.RunMetadata"),
    *(
        "tf.RunOptions",
        "tf.Summary",
        "tf.app.",
        "tf.as_dtype",
        "tf.compat.as_",
        "tf.compat.dimension_",
        "tf.errors.",
    ),
    *("tf.contrib.training.HParams", "tf.estimator.", "tf.executing_eagerly", "tf.flags."),
    *("tf.get_logger", "tf.gfile.", "tf.io.gfile.", "tf.io.tf_record_iterator", "tf.logging."),
    *("tf.keras.datasets.", "tf.keras.preprocessing.", "tf.keras.utils.", "tf.python_io."),
    *("tf.io.TFRecordWriter", "tf.random.set_random_seed", "tf.reset_default_graph"),
    *("tf.keras.backend.clear_session", "tf.disable_", "tf.enable_"),
    *("tf.saved_model.loader.maybe_", "tf.set_random_seed", "tf.summary.FileWriter", "tf.test."),
    *("tf.train.BytesList", "tf.train.Coordinator", "tf.train.Example", "tf.train.Feature"),
    *("tf.train.FloatList", "tf.train.Int64List", "tf.train.NewCheckpointReader"),
    *("tf.train.SequenceExample", "tf.train.checkpoint_exists", "tf.train.get_checkpoint_state"),
    *("tf.train.latest_checkpoint", "tf.train.list_variables", "tf.train.load_"),
    *("tf.train.summary_iterator", "absl.", "collections.", "inspect.", "numpy.", "time."),
    "unittest.",
)
# Methods and attributes of parts of a graph that return plain values.
_PLAIN_METHODS = frozenset(["as_list", "eval", "get_shape", "numpy", "partial_run", "run"])
_PLAIN_ATTRIBUTES = frozenset(["dtype", "name", "shape"])
_PLAIN_BUILTINS = frozenset(
    ["bool", "float", "format", "hasattr", "id", "input", "int", "isinstance", "len", "open"]
    + ["print", "range", "repr", "str", "type"]
)
# Packages with modules whose `predict` returns arrays.
_OF_ESTIMATORS = frozenset(["migrate.bridge", "modern"])
_ADDS = frozenset(["add", "append", "extend", "insert", "setdefault", "update"])
_CONSTRUCTS = (ast.Tuple, ast.List, ast.Starred, ast.Dict, ast.Set)


def is_plain_call(name: str) -> bool:
    """Says whether a function of TensorFlow makes no part of a graph.

    Args:
      name: Public name of the function.
    """
    return name.startswith(_PLAIN_CALLS)


def executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes that the execution of a node executes. Bodies of `def` do not count.

    Args:
      node: A statement or an expression.
    """
    yield node
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        children = node.decorator_list
    for child in children:
        yield from executed(child)


class TensorValues:
    """The kinds of the values in a file."""

    def __init__(self, file: SourceFile) -> None:
        """Reads nothing yet.

        Args:
          file: The file.
        """
        self._file = file
        self._known: dict[ast.AST, int] = {}

    def kind(self, node: ast.AST | None) -> int:
        """Returns the kind of an expression: PLAIN, UNKNOWN or TENSOR.

        Args:
          node: The expression. Without one, the value is plain.
        """
        if node is None or isinstance(node, (ast.Constant, ast.JoinedStr, ast.Lambda)):
            return PLAIN
        if node not in self._known:
            self._known[node] = PLAIN  # Of an expression that depends on itself.
            self._known[node] = self._kind(node)
        return self._known[node]

    def _kind(self, node: ast.AST) -> int:
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.Name):
            return self._of_name(node)
        if isinstance(node, ast.Attribute):
            if self._file.name_of(node) is not None or node.attr in _PLAIN_ATTRIBUTES:
                return PLAIN
            return self._of_attribute(node)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self.kind(node.elt)
        if isinstance(node, ast.DictComp):
            return max(self.kind(node.key), self.kind(node.value))
        if isinstance(node, ast.IfExp):
            return max(self.kind(node.body), self.kind(node.orelse))
        if isinstance(node, ast.Subscript):
            return self.kind(node.value)
        return self._of_all(ast.iter_child_nodes(node))

    def _of_all(self, nodes: Iterable[ast.AST]) -> int:
        return max((self.kind(node) for node in nodes), default=PLAIN)

    def _of_attribute(self, node: ast.Attribute) -> int:
        """Returns the kind of an attribute. The file shows those of `self`."""
        if not isinstance(node.value, ast.Name) or node.value.id != "self":
            return self.kind(node.value)
        return self._of_all(self.assigned_to(node))

    def assigned_to(self, attribute: ast.Attribute) -> list[ast.expr]:
        """Returns the values that the file assigns to an attribute of `self`.

        Args:
          attribute: The attribute, where it is used.
        """
        return [
            statement.value
            for statement in self._file.nodes
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Attribute) and target.attr == attribute.attr
            if isinstance(target.value, ast.Name) and target.value.id == "self"
        ]

    def _of_call(self, call: ast.Call) -> int:
        name = self._file.name_of(call.func)
        parts = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name is not None:
            if is_plain_call(name):
                return self._of_all(parts) if name.startswith("collections.") else PLAIN
            return TENSOR
        if isinstance(call.func, ast.Attribute):
            if call.func.attr in _PLAIN_METHODS or self._predicts(call.func):
                return PLAIN
            if self._file.imported_name_of(call.func):
                return max(UNKNOWN, self._of_all(parts))
            if isinstance(call.func.value, ast.Name) and call.func.value.id == "self":
                return max(self._of_results(self.methods(call.func.attr)), self._of_all(parts))
            return max(self.kind(call.func.value), self._of_all(parts))
        if isinstance(call.func, ast.Name):
            if self._file.imported_name_of(call.func):
                return max(UNKNOWN, self._of_all(parts))
            functions = [*self.functions(call.func)]
            if functions:
                return self._of_results(functions)
            if call.func.id in _PLAIN_BUILTINS:
                return PLAIN
        return max(self.kind(call.func), self._of_all(parts))

    def _predicts(self, function: ast.Attribute) -> bool:
        """Says whether a function is `predict` of a module in place of Estimators."""
        if function.attr != "predict" or not isinstance(function.value, ast.Name):
            return False
        imports = (
            self._file.parent(binder)
            for binder in bindings.of_scope(self._file, function.value)
            if isinstance(binder, ast.alias)
        )
        return any(
            isinstance(statement, ast.ImportFrom) and statement.module in _OF_ESTIMATORS
            for statement in imports
        )

    def functions(self, name: ast.Name) -> Iterator[Function | ast.ClassDef]:
        """Yields the functions and classes of the file that a name stands for.

        Args:
          name: The name, where it is used.
        """
        for binder in bindings.of_scope(self._file, name):
            if isinstance(binder, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield binder
            elif isinstance(value := bindings.value_of(self._file, binder), ast.Lambda):
                yield value

    def methods(self, name: str) -> Iterator[Function]:
        """Yields the methods of the file that have a name.

        Args:
          name: Name of the method.
        """
        for node in self._file.nodes:
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if node.name == name and isinstance(self._file.parent(node), ast.ClassDef):
                yield node

    def _of_results(self, functions: Iterable[ast.AST]) -> int:
        """Returns the kind of the results of functions. An object may hold parts of a graph."""
        results: list[ast.AST] = []
        for function in functions:
            if isinstance(function, ast.Lambda):
                results.append(function.body)
            elif isinstance(function, ast.ClassDef):
                results += (node for node in ast.walk(function) if isinstance(node, ast.Call))
            else:
                results += (
                    node.value
                    for node in ast.walk(function)
                    if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom))
                    if node.value is not None and self._file.function(node) is function
                )
        return self._of_all(results)

    def _of_name(self, name: ast.Name) -> int:
        kinds = [self.kind_of_binder(node) for node in bindings.of_scope(self._file, name)]
        kinds += map(self.kind, self._added(name))
        return max(kinds, default=PLAIN)

    def kind_of_binder(self, binder: ast.AST) -> int:
        """Returns the kind of the value that a node binds its name to.

        Args:
          binder: The node.
        """
        if not isinstance(binder, ast.Name):
            return PLAIN  # Callers decide about parameters. Imports and definitions are plain.
        child: ast.AST = binder
        parent = self._file.parent(child)
        while isinstance(parent, _CONSTRUCTS):
            child, parent = parent, self._file.parent(parent)
        if isinstance(parent, (ast.For, ast.AsyncFor, ast.comprehension)):
            return self.kind(parent.iter) if parent.target is child else PLAIN
        if isinstance(parent, ast.withitem):
            return self.kind(parent.context_expr)
        if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            return self.kind(parent.value)
        return PLAIN

    def _added(self, name: ast.Name) -> Iterator[ast.expr]:
        """Yields the values that code adds to the list or dictionary of a name."""
        for use in bindings.uses(self._file, name):
            parent = self._file.parent(use)
            if isinstance(parent, ast.Attribute) and parent.attr in _ADDS:
                call = self._file.parent(parent)
                if isinstance(call, ast.Call) and call.func is parent:
                    yield from call.args
            elif isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store):
                statement = self._file.parent(parent)
                if isinstance(statement, ast.Assign):
                    yield statement.value
