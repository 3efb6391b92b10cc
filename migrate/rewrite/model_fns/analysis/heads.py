"""Finds the head of a model_fn, which computes its loss, metrics and predictions.

    head = heads.read(file, function, path)
    head.name, head.options(file)

For example, `BinaryClassHead` is `BinaryClassifier` in modern.porting.heads, from which the Keras
model inherits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import Path
from migrate.rewrite.model_fns.analysis.resolving import resolved

_CONTRIB, _V2 = "tf.contrib.estimator.", "tf.estimator."
_CANNED = "tf.estimator.heads.v1.canned_head."  # Private functions that programs import.
_MORE = ("loss_reduction", "loss_fn", "name")
_BINARY = ("weight_column", "thresholds", "label_vocabulary", *_MORE)
_MULTI = ("n_classes", "weight_column", "label_vocabulary", *_MORE)
_LABELS = ("n_classes", *_BINARY[:-1], "classes_for_class_based_metrics", "name")
_REGRESSION = ("loss_reduction", "loss_fn", "inverse_link_fn", "name")
# For each head, the class that replaces it, and the parameters of the head.
_HEADS = {
    f"{_CONTRIB}binary_classification_head": ("BinaryClassifier", _BINARY),
    f"{_CONTRIB}multi_class_head": ("Classifier", _MULTI),
    f"{_CONTRIB}multi_label_head": ("MultiLabelClassifier", _LABELS),
    f"{_CONTRIB}regression_head": ("Regressor", ("weight_column", "label_dimension", *_REGRESSION)),
    f"{_CANNED}_binary_logistic_head_with_sigmoid_cross_entropy_loss": (
        "BinaryClassifier",
        _BINARY,
    ),
    f"{_CANNED}_binary_logistic_or_multi_class_head": ("", _MULTI[:-1]),  # It has no name.
    f"{_CANNED}_multi_class_head_with_softmax_cross_entropy_loss": ("Classifier", _MULTI),
    f"{_CANNED}_regression_head": ("Regressor", ("weight_column", "label_dimension", *_REGRESSION)),
    f"{_V2}BinaryClassHead": ("BinaryClassifier", _BINARY),
    f"{_V2}MultiClassHead": ("Classifier", _MULTI),
    f"{_V2}MultiLabelHead": ("MultiLabelClassifier", _LABELS),
    f"{_V2}RegressionHead": ("Regressor", ("label_dimension", "weight_column", *_REGRESSION)),
}
_SUPPORTED = (
    *("label_dimension", "label_vocabulary", "loss_reduction", "n_classes", "name"),
    "weight_column",
)
_REDUCTIONS = {"SUM": "sum", "SUM_OVER_BATCH_SIZE": "sum_over_batch_size"}
_METHOD = "create_estimator_spec"
_V1_SPEC = ("features", "mode", "logits", "labels", "optimizer", "train_op_fn")
_SPEC = (*_V1_SPEC[:5], "trainable_variables", "train_op_fn", "update_ops")
_UPDATES, _VARIABLES = "tf.GraphKeys.UPDATE_OPS", "tf.trainable_variables"
_STEPS = ("tf.train.get_global_step", "tf.train.get_or_create_global_step")


class Head(NamedTuple):
    """The head of a model_fn.

    Attributes:
      name: Class of modern.porting.heads that replaces the head.
      is_v1: Whether the head is part of TensorFlow 1.
      sums: Whether the head adds up losses by default.
      call: Call that makes the head.
      arguments: Arguments of the call, by parameter.
      spec: Arguments of create_estimator_spec in training.
      local: Variable that holds the head, or "" if there is none.
      runs_updates: Whether each training step runs the updates of batch normalization.
    """

    name: str
    is_v1: bool
    sums: bool
    call: ast.Call
    arguments: dict[str, ast.expr]
    spec: dict[str, ast.expr]
    local: str
    runs_updates: bool

    def makes(self, file: SourceFile, statement: ast.stmt) -> bool:
        """Says whether a statement only makes the head, or counts the steps of its optimizer.

        Args:
          file: The file.
          statement: Statement of the model_fn.
        """
        if not isinstance(statement, ast.Assign):
            return False
        return statement.value is self.call or self.counts(file, statement)

    def counts(self, file: SourceFile, statement: ast.stmt) -> bool:
        """Says whether a statement gives the head's optimizer the global step.

        Args:
          file: The file.
          statement: Statement of the model_fn.
        """
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        optimizer = self.spec.get("optimizer")
        if not isinstance(target, ast.Attribute) or optimizer is None:
            return False
        value = statement.value if isinstance(statement, ast.Assign) else None
        is_step = isinstance(value, ast.Call) and file.name_of(value.func) in _STEPS
        is_own = ast.unparse(target.value) == ast.unparse(optimizer)
        return is_step and is_own and target.attr == "iterations"

    @property
    def dimension(self) -> ast.expr | None:
        """The number of logits. None for a single one."""
        key = "label_dimension" if self.name == "Regressor" else "n_classes"
        return None if self.name == "BinaryClassifier" else self.arguments.get(key)

    def dimensions(self, function: ast.FunctionDef) -> Iterator[tuple[ast.expr, str]]:
        """Yields each `head.logits_dimension`, and the number that replaces it.

        Args:
          function: The model_fn.
        """
        text = "1" if self.dimension is None else ast.unparse(self.dimension)
        attribute_text = f"{self.local}.logits_dimension"
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == attribute_text:
                yield node, text

    def options(self, file: SourceFile) -> str:
        """Returns the constructor arguments of the class that replaces the head.

        Args:
          file: The file.
        """
        parts = [
            f"{key}={file.segment(self.arguments[key])}"
            for key in ("weight_column", "label_vocabulary")
            if key in self.arguments
        ]
        parts += ['loss_reduction="sum"'] if self._reduction(file) == "sum" else []
        # The Estimator's head added no penalties, but Keras collects the penalties of all layers.
        if "name" in self.arguments:
            parts.append(f"head_name={file.segment(self.arguments['name'])}")
        parts += ["penalties=False"] if "regularizer" in file.text else []
        is_rough = self.is_v1 and self.name in ("BinaryClassifier", "MultiLabelClassifier")
        return ", ".join([*parts, *(['pr_summation="trapezoidal"'] if is_rough else [])])

    def _reduction(self, file: SourceFile) -> str:
        node = self.arguments.get("loss_reduction")
        if node is None:
            return "sum" if self.sums else "sum_over_batch_size"
        value = node.value if isinstance(node, ast.Constant) else None
        enum_name = _REDUCTIONS.get((file.name_of(node) or "").rpartition(".")[2])
        reduction = enum_name or {"weighted_sum": "sum"}.get(str(value), str(value))
        reduction = reduction.removeprefix("weighted_")
        if reduction not in _REDUCTIONS.values():
            raise NotUnderstood(f"the loss_reduction {ast.unparse(node)} of its head is unknown")
        return reduction


def read(file: SourceFile, function: ast.FunctionDef, path: Path) -> Head | None:
    """Returns the head whose EstimatorSpec ends a path, or None if no head ends it.

    Args:
      file: The file.
      function: The model_fn.
      path: Path through training.

    Raises:
      NotUnderstood: No class of modern.porting.heads computes the same.
    """
    call = resolved(path, path.result)
    owner = _owner(call)
    if owner is None or not isinstance(call, ast.Call):
        return None
    constructor = resolved(path, owner)
    if isinstance(constructor, ast.Name):
        constructor = bindings.assigned_value(file, constructor) or constructor
    head = of_call(file, constructor)
    # For example, `n` after `n = params["classes"]`.
    head = head._replace(
        arguments={key: resolved(path, node) for key, node in head.arguments.items()}
    )
    local_names = slices.bound_inside(function) | {"features", "labels", "mode"}
    for node in head.arguments.values():
        unknown = slices.read(node) & local_names - {"params"}
        if unknown:
            raise NotUnderstood(f"its head depends on {sorted(unknown)[0]}")
    spec = _bound(call, _V1_SPEC if head.is_v1 else _SPEC, "create_estimator_spec")
    unsupported = sorted(set(spec) - set(_SPEC))
    if unsupported:
        raise NotUnderstood(
            f"the argument {unsupported[0]} of create_estimator_spec is not supported"
        )
    local = owner.id if isinstance(owner, ast.Name) else ""
    head = head._replace(spec=spec, local=local)
    return head if head.is_v1 else _of_v2(file, path, head)


def of_call(file: SourceFile, node: ast.expr) -> Head:
    """Returns the head that a call makes, which has no `spec` yet.

    Args:
      file: The file.
      node: The call.

    Raises:
      NotUnderstood: No class of modern.porting.heads computes the same.
    """
    name = (file.name_of(node.func) or "") if isinstance(node, ast.Call) else ""
    if name not in _HEADS or not isinstance(node, ast.Call):
        raise NotUnderstood(f"its head is {name or ast.unparse(node)[:40]}")
    kind, parameters = _HEADS[name]
    args = _bound(node, parameters, "the head")
    unsupported = sorted(set(args) - set(_SUPPORTED))
    if unsupported:
        raise NotUnderstood(f"the argument {unsupported[0]} of its head is not supported")
    is_v1 = name.startswith((_CONTRIB, _CANNED))
    kind = kind or _of_count(args.get("n_classes"))
    return Head(kind, is_v1, name.startswith(_CANNED), node, args, {}, "", is_v1)


def _of_count(node: ast.expr | None) -> str:
    """Returns the class of a head of two or more classes."""
    count = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(count, int):
        raise NotUnderstood("the number of classes of its head is unknown")
    return "BinaryClassifier" if count == 2 else "Classifier"


def _of_v2(file: SourceFile, path: Path, head: Head) -> Head:
    """Returns a head of the v2 API, which trains and updates only the given variables."""
    variables, updates = head.spec.get("trainable_variables"), head.spec.get("update_ops")
    variables = resolved(path, variables) if variables is not None else None
    if variables is not None and not _calls(file, variables, _VARIABLES):
        raise NotUnderstood(f"its head trains {ast.unparse(variables)[:40]}")
    updates = resolved(path, updates) if updates is not None else None
    update_args = updates.args if isinstance(updates, ast.Call) else []
    if update_args and file.name_of(update_args[0]) == _UPDATES:
        head = head._replace(runs_updates=True)
    if updates is not None and not head.runs_updates:
        raise NotUnderstood(f"its head runs {ast.unparse(updates)[:40]}")
    if "optimizer" in head.spec and not any(
        head.counts(file, statement) for statement in path.statements
    ):
        raise NotUnderstood("the optimizer of its head does not increment the global step")
    return head


def is_same(path: Path, head: Head, train: Path) -> bool:
    """Says whether a path and the path through training end in the same head and arguments.

    Args:
      path: The path.
      head: Head of the training.
      train: Path through training.
    """
    call, other = resolved(path, path.result), resolved(train, train.result)
    if call is other:
        return True
    owner = _owner(call)
    if owner is None or not isinstance(call, ast.Call):
        return False
    args = _bound(call, _SPEC[:5] if head.is_v1 else _SPEC, "create_estimator_spec")
    keys = ("features", "logits", "labels")
    matches = [ast.unparse(args[key]) == ast.unparse(head.spec[key]) for key in keys if key in args]
    return all(matches) and ast.unparse(owner) == head.local


def _owner(node: ast.expr) -> ast.expr | None:
    """Returns the head in `head.create_estimator_spec()`, or None for another expression."""
    method = node.func if isinstance(node, ast.Call) else None
    is_spec = isinstance(method, ast.Attribute) and method.attr == _METHOD
    return method.value if isinstance(method, ast.Attribute) and is_spec else None


def _bound(call: ast.Call, parameters: tuple[str, ...], function: str) -> dict[str, ast.expr]:
    args = arguments.bind(call, parameters)
    if args is None:
        raise NotUnderstood(f"{function} is called with *args or **kwargs")
    return estimator_uses.without_none(args)


def _calls(file: SourceFile, node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and file.name_of(node.func) == name
