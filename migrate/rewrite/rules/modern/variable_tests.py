"""Compares variables by identity, as in `if average:` and `if variable in frozen:`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.bridging import variable_lists

_VARIABLES = frozenset(
    [
        "tf.Variable",
        "tf.contrib.framework.create_global_step",
        "tf.contrib.framework.get_global_step",
        "tf.contrib.framework.get_or_create_global_step",
        "tf.contrib.framework.local_variable",
        "tf.contrib.framework.model_variable",
        "tf.contrib.framework.variable",
        "tf.get_local_variable",
        "tf.get_variable",
        "tf.train.create_global_step",
        "tf.train.get_global_step",
        "tf.train.get_or_create_global_step",
    ]
)
_AVERAGE = "tf.train.ExponentialMovingAverage"


def _find(file: SourceFile) -> Iterator[Change]:
    for node in file.nodes:
        if isinstance(node, ast.Compare):
            yield from _membership(file, node)
        if not isinstance(node, (ast.Name, ast.Call)) or not _may_be_truth_value(file, node):
            continue
        if not _is_variable(file, node) or file.is_displaced(node):
            continue
        parent = file.parent(node)
        text = file.segment(node)
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            yield file.replacement(parent, f"{text} is None")
        elif isinstance(parent, ast.BoolOp) and not _is_test(file, parent):
            if parent.values[0] is node and len(parent.values) == 2:
                yield file.replacement(parent, _conditional(file, parent, node))
        elif _is_test(file, node):
            yield file.replacement(node, f"{text} is not None")


def _membership(file: SourceFile, node: ast.Compare) -> Iterator[Change]:
    """Yields the change of a test of a variable's membership in a list."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return
    left, (container,) = node.left, node.comparators
    if not isinstance(left, ast.Name) or file.is_displaced(left) or left.id == "other":
        return
    if not variable_lists.is_member(file, left):
        return
    quantifier, comparison = ("any", "is") if isinstance(node.ops[0], ast.In) else ("all", "is not")
    members = file.segment(container)
    text = f"{quantifier}({left.id} {comparison} other for other in {members})"
    yield file.replacement(node, text)


def _conditional(file: SourceFile, node: ast.BoolOp, variable: ast.expr) -> str:
    """Returns `variable or other`, or `variable and other`, as a conditional expression."""
    text, other = file.segment(variable), file.segment(node.values[1])
    if isinstance(node.op, ast.And):
        choice = f"{other} if {text} is not None else None"
    elif isinstance(variable, ast.Name):
        choice = f"{text} if {text} is not None else {other}"
    else:
        name = file.new_name("variable", ("the value of", variable), file.function(variable))
        choice = f"{name} if ({name} := {text}) is not None else {other}"
    start, end = file.span(node)
    is_enclosed = file.text[:start].endswith("(") and file.text[end:].startswith(")")
    return choice if is_enclosed else f"({choice})"


def _may_be_truth_value(file: SourceFile, node: ast.expr) -> bool:
    """Says whether the program may use an expression as a truth value. This check is cheap."""
    return isinstance(file.parent(node), (ast.BoolOp, ast.UnaryOp)) or _is_test(file, node)


def _is_test(file: SourceFile, node: ast.expr) -> bool:
    """Says whether only the truth of an expression matters."""
    parent = file.parent(node)
    if isinstance(parent, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        return parent.test is node
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    if isinstance(parent, ast.BoolOp):
        return _is_test(file, parent)
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if not isinstance(parent, ast.Call) or parent.func is node:
        return False
    return ast.unparse(parent.func) == "bool"


def _is_variable(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a variable, or None in place of one."""
    if isinstance(node, ast.Name):
        binders = bindings.of_scope(file, node)
        values = [bindings.value_of(file, binder) for binder in binders]
        return any(
            isinstance(value, ast.Call) and _returns_variable(file, value) for value in values
        )
    return isinstance(node, ast.Call) and _returns_variable(file, node)


def _returns_variable(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call returns a variable or None."""
    name = file.name_of(call.func)
    if name is not None:
        return name in _VARIABLES
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "average":
        return False
    if len(call.args) != 1 or call.keywords:
        return False
    owner = function.value
    value = bindings.assigned_value(file, owner) if isinstance(owner, ast.Name) else owner
    if isinstance(value, ast.Call) and file.name_of(value.func) == _AVERAGE:
        return True
    last = file.segment(owner).rpartition(".")[2].lower()
    return "ema" in last or "averag" in last


RULE = Rule(
    __name__,
    _find,
    message="A variable is compared by identity, because TensorFlow 2 compares the values of "
    "variables, and takes the truth of a variable from its value.",
    source="https://www.tensorflow.org/api_docs/python/tf/train/ExponentialMovingAverage",
    symbols=("tf.train.ExponentialMovingAverage.average",),
    recipe="layers_and_losses",
)
