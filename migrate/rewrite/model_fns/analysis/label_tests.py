"""Finds tests of a model_fn for missing labels, which stand for tests of the mode.

    names = labels_of(function)
    is_missing(node, names)

An Estimator passes None as the labels of a prediction. So `if labels is not None:` separates
training and evaluation from prediction, unless the model_fn also trains without labels.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.names import modern_names

_LABELS = "labels"
_Branch = list[ast.stmt] | ast.expr
_EQUAL, _UNEQUAL = (ast.Is, ast.Eq), (ast.IsNot, ast.NotEq)


def labels_of(function: ast.FunctionDef) -> frozenset[str]:
    """Returns the names of the labels that a model_fn tests. Empty if it trains without labels.

    Args:
      function: The model_fn.
    """
    bindings = [name for statement in function.body for name in slices.bound(statement)]
    names = {_LABELS}
    for statement in function.body:
        if isinstance(statement, ast.Assign) and _is_labels(statement.value):
            names |= {name for name in slices.replaces(statement) if bindings.count(name) == 1}
    pairs = [pair for node in ast.walk(function) for pair in _branches(node, names)]
    if not pairs or not all(_does_without(*pair, names) for pair in pairs):
        return frozenset()
    return frozenset(names)


def is_missing(node: ast.expr, names: frozenset[str]) -> bool | None:
    """Says whether a test is true if labels are missing. None for other tests.

    Args:
      node: The test.
      names: Names of the labels.
    """
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    is_label = isinstance(node.left, ast.Name) and node.left.id in names
    if not is_label or not modern_names.is_constant(node.comparators[0], None):
        return None
    if isinstance(node.ops[0], _EQUAL):
        return True
    return False if isinstance(node.ops[0], _UNEQUAL) else None


def _is_labels(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _LABELS


def _branches(node: ast.AST, names: set[str]) -> Iterator[tuple[_Branch, _Branch]]:
    """Yields the branch that an `if` takes without labels, and the other one."""
    if not isinstance(node, (ast.If, ast.IfExp)):
        return
    test, negates = node.test, False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, negates = test.operand, not negates
    is_true = is_missing(test, frozenset(names))
    if is_true is not None:
        branches = (node.body, node.orelse)
        yield branches if is_true != negates else branches[::-1]
    elif any(
        isinstance(part, ast.expr) and is_missing(part, frozenset(names)) is not None
        for part in ast.walk(node.test)
    ):
        yield node.test, node.test  # Some other test, which is not understood.


def _does_without(branch: _Branch, other: _Branch, names: set[str]) -> bool:
    """Says whether a branch without labels computes nothing that the other one computes, too."""
    if isinstance(branch, ast.expr) or isinstance(other, ast.expr):
        return isinstance(branch, ast.Constant)
    changed_names = names.union(*map(slices.bound, other))
    return not any(
        _has_loss(statement) or slices.bound(statement) & changed_names
        for statement in branch
        if not _is_idle(statement)
    )


def _has_loss(statement: ast.stmt) -> bool:
    """Says whether a statement returns, other than an EstimatorSpec without a loss."""
    return any(isinstance(node, ast.Return) for node in ast.walk(statement))


def _is_idle(statement: ast.stmt) -> bool:
    """Says whether a statement computes no loss."""
    if isinstance(statement, ast.Assign):
        return _is_plain(statement.value)
    call = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(call, ast.Call):
        has_loss = any(keyword.arg in (None, "loss", "train_op") for keyword in call.keywords)
        return not has_loss and len(call.args) <= len(("mode", "predictions"))
    return isinstance(statement, (ast.Pass, ast.Raise))


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_plain, node.elts))
    return isinstance(node, ast.Constant) or ast.unparse(node) in ("{}", "[]", "()", "dict()")
