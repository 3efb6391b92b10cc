r"""Finds hooks of a program that feed a session, or run operations in it.

The session of a bridged model can only read variables.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "class Reset(tf.train.SessionRunHook):\n"
...     "    def __init__(self, reset):\n"
...     "        self.reset = reset\n"
...     "    def after_create_session(self, session, coord):\n"
...     "        session.run(self.reset)\n"
... )
>>> reason_to_stay(file)
'its hook Reset runs self.reset in the session in line 6'
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_FEEDS = "feed_dict"
_FEEDING_HOOK = "tf.train.FeedFnHook"
_METHODS = frozenset(["after_create_session", "after_run", "before_run", "begin", "end"])
# Functions that return variables, or lists of them.
_VARIABLES = frozenset(
    [
        "tf.all_variables",
        "tf.get_variable",
        "tf.global_variables",
        "tf.local_variables",
        "tf.model_variables",
        "tf.trainable_variables",
        "tf.train.get_global_step",
        "tf.train.get_or_create_global_step",
    ]
)


def reason_to_stay(file: SourceFile) -> str:
    """Returns the reason why a hook of a file needs a session, or "".

    Args:
      file: The file. The hook may be one of an EstimatorSpec, or one of `Estimator.train`.
    """
    for match in file.names():
        if match.name == _FEEDING_HOOK:
            return f"its FeedFnHook in line {match.node.lineno} feeds a session"
    for definition in file.nodes:
        if not isinstance(definition, ast.ClassDef):
            continue
        methods = {item.name for item in definition.body if isinstance(item, ast.FunctionDef)}
        reason = _reason_of(file, definition) if methods & _METHODS else ""
        if reason:
            return f"its hook {definition.name} {reason}"
    return ""


def _reason_of(file: SourceFile, definition: ast.ClassDef) -> str:
    for call in _calls(definition):
        if any(word.arg == _FEEDS for word in call.keywords):
            return f"feeds a session in line {call.lineno}"
        if not call.args or not isinstance(call.func, ast.Attribute) or call.func.attr != "run":
            continue
        owner = ast.unparse(call.func.value)
        if "sess" in owner and not _are_variables(file, definition, call.args[0]):
            fetches = ast.unparse(call.args[0])
            return f"runs {fetches} in the session in line {call.lineno}"
    return ""


def _calls(definition: ast.ClassDef) -> Iterator[ast.Call]:
    return (node for node in ast.walk(definition) if isinstance(node, ast.Call))


def _are_variables(file: SourceFile, definition: ast.ClassDef, node: ast.expr) -> bool:
    """Says whether an expression is known to be variables, or a nest of them."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_are_variables(file, definition, element) for element in node.elts)
    if isinstance(node, ast.Dict):
        return all(_are_variables(file, definition, value) for value in node.values)
    if isinstance(node, ast.ListComp):
        return _are_variables(file, definition, node.generators[0].iter)
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        return value is not None and _are_variables(file, definition, value)
    if isinstance(node, ast.Attribute):
        values = _values_of(definition, ast.unparse(node))
        return bool(values) and all(_are_variables(file, definition, value) for value in values)
    return isinstance(node, ast.Call) and file.name_of(node.func) in _VARIABLES


def _values_of(definition: ast.ClassDef, attribute: str) -> list[ast.expr]:
    """Returns the values that a class assigns to an attribute such as `self.step`."""
    return [
        node.value
        for node in ast.walk(definition)
        if isinstance(node, ast.Assign)
        and any(ast.unparse(target) == attribute for target in node.targets)
    ]
