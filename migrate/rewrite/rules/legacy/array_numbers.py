"""Converts arrays with one element to numbers, as in `float(prediction["price"])`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.rewrite.analysis import result_names
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_NUMPY = Import("numpy", "np")
_METHODS = frozenset(("get_variable_value", "predict"))
_CONVERSIONS = frozenset(("float", "int"))
# The conversions of a text such as "%s: %5.2f", each with its last letter.
_FORMATS = re.compile(r"%(?:%|[-#0 +]*\d*(?:\.\d*)?[hlL]?([a-zA-Z]))")
_OF_NUMBERS = frozenset("dieEfFgGuxX")


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old:
        return
    names = result_names.of(file.nodes, _METHODS)
    # The names of `for number, row in enumerate(rows)` hold numbers and dictionaries.
    paired = {
        part.id
        for node in file.nodes
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store)
        for part in ast.walk(node)
        if isinstance(part, ast.Name)
    }
    for node in file.nodes:
        values = _converted(node)
        arrays = [
            value
            for value in values
            if _may_be_array(value, names) and ast.unparse(value) not in paired
        ]
        if arrays:  # The label next to a prediction, as in labels[i], may be a row of an array.
            arrays += [value for value in values if _is_row(value)]
        for value in values:
            if value in arrays:
                numpy = file.module_name(_NUMPY)
                text = f"{numpy}.squeeze({file.segment(value)})"
                yield file.replacement(value, text, imports=(_NUMPY,))


def _converted(node: ast.AST) -> list[ast.expr]:
    """Returns the expressions that a node converts to numbers."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        function = ast.unparse(node.func)
        return node.args if function in _CONVERSIONS or function.startswith("math.") else []
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mod):
        return []
    text = node.left.value if isinstance(node.left, ast.Constant) else None
    if not isinstance(text, str) or "*" in text or "%(" in text:
        return []
    kinds = [kind for kind in _FORMATS.findall(text) if kind]
    values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    if len(kinds) != len(values):
        return []
    return [value for kind, value in zip(kinds, values, strict=True) if kind in _OF_NUMBERS]


def _is_row(node: ast.expr) -> bool:
    """Says whether an expression is an element by its number, such as `labels[i]`."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    return isinstance(node.slice, ast.Name)


def _may_be_array(node: ast.expr, names: set[str]) -> bool:
    """Says whether an expression may be an array that a method returned, or one of its results."""
    if isinstance(node, ast.Subscript):
        # An index such as p["classes"][0] makes a number.
        is_key = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        return is_key and result_names.is_result(node.value, names, _METHODS)
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "") == "get_variable_value"
    return isinstance(node, ast.Name) and node.id in names


RULE = Rule(
    __name__,
    _find,
    message="Arrays with one element become numbers explicitly, because NumPy 2.4 no longer "
    "converts them.",
    source="https://numpy.org/doc/stable/release/2.4.0-notes.html",
    symbols=("numpy.squeeze",),
    recipe="custom_model_fn",
)
