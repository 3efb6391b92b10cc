r"""Recognizes functions of Python that print or log, by all names that a program gives them.

>>> file = SourceFile("import logging\ninfo = logging.getLogger('job').info\ninfo('x')\n")
>>> is_log(file, file.tree.body[-1].value.func)
True
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_METHODS = frozenset(("critical", "debug", "error", "exception", "info", "log", "warn", "warning"))
_FUNCTIONS = frozenset(
    (
        *("pprint.pprint", "print", "sys.stderr.flush", "sys.stderr.write", "sys.stdout.flush"),
        *("sys.stdout.write", "traceback.print_exc", "warnings.warn"),
        *(f"{module}.{name}" for module in ("absl.logging", "logging") for name in _METHODS),
    )
)
_LOGGERS = ("absl.logging.get_absl_logger", "logging.getLogger")
_TF_LOGGER = "tf.get_logger"


def is_log(file: SourceFile, function: ast.expr) -> bool:
    """Says whether a function only prints or logs.

    Args:
      file: The file.
      function: The called expression.
    """
    if isinstance(function, ast.Name):
        function = bindings.assigned_value(file, function) or function
    if _name(file, function) in _FUNCTIONS:
        return True
    is_method = isinstance(function, ast.Attribute) and function.attr in _METHODS
    return is_method and isinstance(function, ast.Attribute) and _is_logger(file, function.value)


def _is_logger(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a logger of Python."""
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        return value is not None and not isinstance(value, ast.Name) and _is_logger(file, value)
    if not isinstance(node, ast.Call):
        return False
    return file.name_of(node.func) == _TF_LOGGER or _name(file, node.func) in _LOGGERS


def _name(file: SourceFile, node: ast.expr) -> str:
    """Returns the full name of a function of a module or of Python. "" for other functions."""
    if isinstance(node, ast.Attribute):
        module = _name(file, node.value)
        return f"{module}.{node.attr}" if module else ""
    if not isinstance(node, ast.Name):
        return ""
    binders = bindings.of_scope(file, node)
    if not binders:
        return node.id
    statement = file.parent(binders[0]) if isinstance(binders[0], ast.alias) else None
    if len(binders) > 1 or statement is None or not isinstance(binders[0], ast.alias):
        return ""
    if isinstance(statement, ast.ImportFrom):
        return f"{statement.module}.{binders[0].name}" if not statement.level else ""
    return binders[0].name if binders[0].asname else node.id
