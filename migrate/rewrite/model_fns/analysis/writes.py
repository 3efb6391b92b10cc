r"""Finds operations of a model_fn that write variables in other modes than training.

An Estimator ran such an operation only if its result was needed. Keras would run it in each step.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "def model_fn(features, labels, mode):\n"
...     "    ema = tf.train.ExponentialMovingAverage(0.9)\n"
...     "    averaged = ema.apply(tf.trainable_variables())\n"
... )
>>> outside_of_training(file, file.tree.body[1], ["eval"])
'it writes variables in line 4 in mode "eval" too'
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis.modes import Modes

_AVERAGE = "tf.train.ExponentialMovingAverage"
_ASSIGNS = frozenset(["tf.assign", "tf.assign_add", "tf.assign_sub"])


def outside_of_training(
    file: SourceFile, function: ast.FunctionDef, used_modes: Collection[str]
) -> str:
    """Returns the reason why Keras would write more variables than an Estimator, or "".

    Args:
      file: The file.
      function: The model_fn.
      used_modes: Modes that the program uses, such as "eval".
    """
    if "apply" not in file.text and "assign" not in file.text:
        return ""
    modes = Modes(file, function)
    for mode in used_modes:
        for node in _executed(modes, function.body, mode):
            if isinstance(node, ast.Call) and _writes(file, node):
                return f'it writes variables in line {node.lineno} in mode "{mode}" too'
    return ""


def _executed(modes: Modes, body: Sequence[ast.stmt], mode: str) -> Iterator[ast.AST]:
    """Yields the nodes that a mode may execute, up to the statement that ends it."""
    for statement in body:
        truth = modes.truth(statement.test, mode) if isinstance(statement, ast.If) else None
        if isinstance(statement, ast.If) and truth is not None:
            branch = statement.body if truth else statement.orelse
            yield from _executed(modes, branch, mode)
            if _ends(modes, branch, mode):
                return
        elif isinstance(statement, ast.With):
            yield from (part for item in statement.items for part in ast.walk(item))
            yield from _executed(modes, statement.body, mode)
            if _ends(modes, statement.body, mode):
                return
        else:
            yield from ast.walk(statement)
            if isinstance(statement, (ast.Return, ast.Raise)):
                return


def _ends(modes: Modes, body: Sequence[ast.stmt], mode: str) -> bool:
    """Says whether statements always end the function in a mode."""
    for statement in body:
        if isinstance(statement, (ast.Return, ast.Raise)):
            return True
        if isinstance(statement, ast.With) and _ends(modes, statement.body, mode):
            return True
        truth = modes.truth(statement.test, mode) if isinstance(statement, ast.If) else None
        if isinstance(statement, ast.If) and truth is not None:
            branch = statement.body if truth else statement.orelse
            if _ends(modes, branch, mode):
                return True
    return False


def _writes(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call makes an operation that writes variables."""
    if file.name_of(call.func) in _ASSIGNS:
        return True
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "apply":
        return False
    owner = call.func.value
    value = bindings.assigned_value(file, owner) if isinstance(owner, ast.Name) else owner
    return isinstance(value, ast.Call) and file.name_of(value.func) == _AVERAGE
