"""Finds the code that makes or uses an Estimator, which Keras will run outside of any graph.

EstimatorCode(file, values).line(statements)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import ESTIMATORS, MODELS, SourceFile
from migrate.rewrite.sessions.tensor_values import TensorValues, executed

_PREFIXES = (
    *("tf.contrib.estimator.", "tf.contrib.learn.", "tf.contrib.tpu.", "tf.estimator."),
    *(ESTIMATORS, MODELS),
)
_REPLACEMENTS = ("migrate", "migrate.bridge", "modern", "modern.porting")
# Names that model_fns use too. A session may run the graph of a model_fn.
_OF_MODEL_FNS = (
    *("tf.contrib.estimator.binary", "tf.contrib.estimator.multi", "tf.contrib.learn.ModeKeys"),
    *("tf.contrib.learn.datasets.", "tf.contrib.tpu.CrossShardOptimizer"),
    *("tf.contrib.tpu.TPUEstimatorSpec", "tf.estimator.EstimatorSpec", "tf.estimator.ModeKeys"),
    *("tf.estimator.export.", "tf.estimator.inputs.", "tf.estimator.tpu.TPUEstimatorSpec"),
    *("tf.contrib.learn.run_", "tf.contrib.learn.preprocessing.", "tf.estimator.BinaryClassHead"),
    *("tf.estimator.MultiClassHead", "tf.estimator.RegressionHead"),
)
_METHODS = frozenset(
    ["train", "evaluate", "predict", "export_savedmodel", "export_saved_model", "fit"]
    + ["train_and_evaluate"]
)
_COLLECTIONS = frozenset(("dict", "float", "int", "len", "list", "next", "sorted", "str", "tuple"))


class EstimatorCode:
    """The code of a file that makes or uses Estimators."""

    def __init__(self, file: SourceFile, values: TensorValues) -> None:
        """Reads nothing yet.

        Args:
          file: The file.
          values: The kinds of its values.
        """
        self._file, self._values = file, values
        self._known: dict[ast.AST, int] = {}

    def line(self, nodes: Iterable[ast.AST]) -> int:
        """Returns the first line among some code that makes or uses an Estimator, or 0.

        Functions that the code calls count too.

        Args:
          nodes: Statements or expressions.
        """
        for node in nodes:
            for part in executed(node):
                if self._is_estimator(part):
                    return getattr(part, "lineno", 0)
        return 0

    def defines(self, node: ast.AST) -> bool:
        """Says whether a function, or any method of a class, makes or uses an Estimator.

        Args:
          node: The definition.
        """
        if node not in self._known:
            self._known[node] = 0  # Of a function that calls itself.
            body = [node.body] if isinstance(node, ast.Lambda) else getattr(node, "body", [])
            parts = [
                part
                for statement in body
                for part in (
                    statement.body if isinstance(statement, ast.FunctionDef) else [statement]
                )
            ]
            self._known[node] = self.line(parts)
        return bool(self._known[node])

    def _is_estimator(self, node: ast.AST) -> bool:
        name = self._file.name_of(node)
        if self._file.imported_name_of(node) in self._file.plan.decisions.estimator_code:
            return True
        if name is not None:
            return name.startswith(_PREFIXES) and not name.startswith(_OF_MODEL_FNS)
        if isinstance(node, ast.Name):
            return isinstance(node.ctx, ast.Load) and self._is_of_name(node)
        if isinstance(node, ast.Attribute):
            return self._is_of_attribute(node)
        return False

    def _is_of_name(self, name: ast.Name) -> bool:
        for binder in bindings.of_scope(self._file, name):
            if isinstance(binder, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if self.defines(binder):
                    return True
            elif isinstance(binder, ast.alias):
                statement = self._file.parent(binder)
                if isinstance(statement, ast.ImportFrom) and statement.module in _REPLACEMENTS:
                    return True
            else:
                value = bindings.value_of(self._file, binder)
                if value is not None and not self._is_result(value) and self._is_in(value):
                    return True
        return False

    def _is_result(self, node: ast.expr) -> bool:
        """Says whether an expression is a result that needs its Estimator no longer.

        For example, `list(job.predict(input_fn))` is one. `job.predict(input_fn)` alone is an
        iterator, which predicts when it is read.
        """
        if isinstance(node, (ast.ListComp, ast.DictComp, ast.SetComp)):
            return True
        if isinstance(node, ast.Subscript):
            return self._is_result(node.value)
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name):
            is_builtin = not [*bindings.of_scope(self._file, node.func)]
            return is_builtin and node.func.id in _COLLECTIONS
        return isinstance(node.func, ast.Attribute) and node.func.attr == "evaluate"

    def _is_of_attribute(self, node: ast.Attribute) -> bool:
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id == "self":
            return any(map(self.defines, self._values.methods(node.attr)))
        if node.attr not in _METHODS:
            return False
        if isinstance(owner, ast.Name):  # A parameter may be an Estimator.
            binders = bindings.of_scope(self._file, owner)
            return any(isinstance(binder, ast.arg) for binder in binders)
        return isinstance(owner, ast.Attribute) and self._file.name_of(owner) is None

    def _is_in(self, node: ast.AST) -> bool:
        if node not in self._known:
            self._known[node] = 0  # Of a function that calls itself.
            self._known[node] = self.line([node])
        return bool(self._known[node])
