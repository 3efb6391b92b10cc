"""Writes the head of modern.porting.heads that replaces the head of a canned Estimator.

head = Head(file, job, reader)
text, imports = head.text("build_model()"), head.imports
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.analysis.dataflow import Env, UnknownValue
from migrate.rewrite.analysis.feature_columns import Columns
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators.estimator_jobs import Job
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import heads

_REDUCTIONS = {
    "AUTO": "sum_over_batch_size",
    "SUM": "sum",
    "SUM_OVER_BATCH_SIZE": "sum_over_batch_size",
    "auto": "sum_over_batch_size",
    "sum": "sum",
    "sum_over_batch_size": "sum_over_batch_size",
    "weighted_sum": "sum",
    "weighted_sum_over_batch_size": "sum_over_batch_size",
}


class Head:
    """The head of one Estimator.

    Attributes:
      is_v1: Whether the Estimator is of the v1 API.
      imports: Imports that the texts need.
      head_statements: Statements that only make the program's own head.
    """

    def __init__(self, file: SourceFile, job: Job, reader: Columns) -> None:
        """Starts with no texts.

        Args:
          file: The file.
          job: Facts about the Estimator.
          reader: Reader of the file's values.
        """
        self._file, self._job, self._reader = file, job, reader
        self._is_classifier = job.match.name.endswith("Classifier")
        self.is_v1 = job.match.full_name.startswith(("legacy.compat.v1.", "legacy.contrib."))
        self._module, self.imports = bridged_configs.module(file, "heads")
        self.head_statements: list[ast.stmt] = []
        self._head = self._read_head() if job.match.name.endswith("Estimator") else None

    def _read_head(self) -> heads.Head:
        """Returns the head that the program makes for its Estimator."""
        node = self._job.arguments.get("head")
        if node is None:
            raise UnknownValue("it has no head")
        value, env = self._reader.follow(node, Env())
        try:
            head = heads.of_call(self._file, value)
            head.options(self._file)
        except NotUnderstood as error:
            raise UnknownValue(str(error)) from None
        for argument in head.arguments.values():
            if self._reader.text(argument, env) != self._file.segment(argument):
                raise UnknownValue(f"its head depends on {ast.unparse(argument)[:40]}")
        self.head_statements.append(self._file.statement(value))
        return head

    def units(self, text_of: Callable[[str], str]) -> str:
        """Returns the number of logits.

        Args:
          text_of: Returns the text of an argument at the place of the model.
        """
        args = self._job.arguments
        if self._head is not None:
            dimension = self._head.dimension
            return "1" if dimension is None else self._file.segment(dimension)
        if not self._is_classifier:
            return text_of("label_dimension") if "label_dimension" in args else "1"
        is_binary = self._is_binary()
        if is_binary is None:
            return f"{self._module}.units({text_of('n_classes')})"
        return "1" if is_binary else text_of("n_classes")

    def _is_binary(self) -> bool | None:
        """Says whether a classifier has two classes. None if only the program can tell."""
        node = self._job.arguments.get("n_classes")
        if node is None:
            return True
        try:
            return bool(self._reader.literal(node, Env()) == 2)
        except UnknownValue:
            if not bridged_configs.is_simple(self._file, node):  # The text occurs twice.
                raise UnknownValue("the number of classes is unknown") from None
        return None

    def text(self, body: str) -> str:
        """Returns the expression of the head.

        Args:
          body: Expression of the model from features to logits.
        """
        args, file = self._job.arguments, self._file
        if self._head is not None:
            options = self._head.options(file)
            return f"{self._module}.{self._head.name}({body}{f', {options}' if options else ''})"
        name, parts = "Regressor", [body]
        if self._is_classifier:
            is_binary = self._is_binary()
            name = "BinaryClassifier" if is_binary else "Classifier"
            if is_binary is None:
                name, parts = "classifier", [file.segment(args["n_classes"]), body]
        if "weight_column" in args:
            parts.append(f"weight_column={self._weight_column()}")
        if "label_vocabulary" in args:
            parts.append(f"label_vocabulary={file.segment(args['label_vocabulary'])}")
        parts += ['loss_reduction="sum"'] if self._reduction() == "sum" else []
        if name in ("BinaryClassifier", "classifier") and self.is_v1:
            parts.append('pr_summation="trapezoidal"')
        return f"{self._module}.{name}({', '.join(parts)})"

    def _weight_column(self) -> str:
        node = self._job.arguments["weight_column"]
        value, env = self._reader.follow(node, Env())
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return self._file.segment(node)
        column = self._reader.column(node, env)
        if column.kind != "numeric_column" or set(column.arguments) - {"key", "dtype"}:
            raise UnknownValue("its weight_column is not a plain numeric_column")
        return self._reader.text(column.arguments["key"], column.env)

    def _reduction(self) -> str:
        node = self._job.arguments.get("loss_reduction")
        if node is None:
            return "sum" if self.is_v1 else "sum_over_batch_size"
        expression, _ = self._reader.follow(node, Env())
        value = expression.value if isinstance(expression, ast.Constant) else None
        name = str(value or (self._file.name_of(expression) or "").rpartition(".")[2])
        if name not in _REDUCTIONS:
            raise UnknownValue(f"the loss_reduction {ast.unparse(expression)} is not supported")
        return _REDUCTIONS[name]
