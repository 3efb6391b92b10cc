"""Replaces TensorFlow's version where a program makes decisions by it.

For example, `if tf.__version__ < "2.0"` compares the version that the program was written for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from legacy.reading.version_tests import VERSIONS
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile

_NAMES = ("tf.__version__", "tf.VERSION", "tf.version.VERSION", "tf.compat.v2.__version__")


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.names():
        node = _version(match.node) if match.name.startswith(_NAMES) else None
        if node is not None and (
            _affects_decision(file, node) or _is_assigned_for_decision(file, node)
        ):
            yield file.replacement(node, f'"{VERSIONS[file.plan.program.api]}"')


def _version(node: ast.expr) -> ast.expr | None:
    """Returns the part of a name that is the version, without a method that is called on it."""
    while isinstance(node, ast.Attribute) and node.attr not in ("__version__", "VERSION"):
        node = node.value
    return node if isinstance(node, ast.Attribute) else None


def _affects_decision(file: SourceFile, node: ast.expr) -> bool:
    """Says whether a condition uses an expression, or the program parses it without printing it."""
    is_parsed = False
    outer: ast.AST | None = node
    while outer is not None and not isinstance(outer, ast.stmt):
        if isinstance(outer, ast.Compare):
            return True
        parent = file.parent(outer)
        if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and parent.test is outer:
            return True
        if isinstance(parent, ast.Attribute) and parent.attr in ("startswith", "endswith"):
            return True
        # A message keeps the version that runs.
        if _prints(parent):
            return False
        is_parsed |= isinstance(parent, ast.Attribute) and parent.attr == "split"
        is_parsed |= isinstance(parent, ast.Call) and _is_parser(parent.func)
        outer = parent
    return is_parsed


def _prints(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        return name in ("print", "format", "info", "warning", "warn", "debug", "error", "write")
    return isinstance(node, (ast.JoinedStr, ast.FormattedValue)) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod))
    )


def _is_parser(function: ast.expr) -> bool:
    name = ast.unparse(function).rpartition(".")[2]
    return name.endswith("Version") or name in ("parse", "parse_version")


def _is_assigned_for_decision(file: SourceFile, node: ast.expr) -> bool:
    """Says whether a version is assigned to a name on which a decision depends."""
    return isinstance(file.parent(node), ast.Assign) and any(
        isinstance(use, ast.Name)
        and isinstance(use.ctx, ast.Load)
        and bindings.assigned_value(file, use) is node
        and _affects_decision(file, use)
        for use in file.nodes
    )


RULE = Rule(
    __name__,
    _find,
    message="A check of TensorFlow's version gets the version that the program was written for.",
    source="https://www.tensorflow.org/api_docs/python/tf/version",
    symbols=("tf.__version__", "tf.VERSION", "tf.version.VERSION"),
    recipe="sessions_and_graphs",
)
