"""Evaluates conditions that TensorFlow's version decides, without running them.

>>> import ast
>>> outcome(ast.parse("int(tf.__version__.split('.')[0]) >= 2", mode="eval").body, "2.15.1")
True
>>> outcome(ast.parse("FLAGS.old", mode="eval").body, "2.15.1") is None
True
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

# Default value of tf.__version__ for a program of each API.
VERSIONS = {"v1": "1.15.5", "v2": "2.15.1"}
_COMPARISONS: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_METHODS = ("startswith", "endswith", "split")
_TENSORFLOW = re.compile(r"(tf\w*|tensorflow)(\.compat\.v[12])*(\.version)?\.(__version__|VERSION)")


def outcome(test: ast.expr, version: str) -> bool | None:
    """Returns the outcome of a condition. None if the version does not decide it.

    Args:
      test: The condition.
      version: TensorFlow's version.
    """
    try:
        return bool(_value(test, version))
    except (_Unknown, TypeError, ValueError, IndexError):
        return None


class _Unknown(Exception):
    """Error for an expression whose value is unknown."""


def _value(node: ast.expr, version: str) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Attribute) and _TENSORFLOW.fullmatch(ast.unparse(node)):
        return version
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand, version)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
        sides = _value(node.left, version), _value(node.comparators[0], version)
        return _COMPARISONS[type(node.ops[0])](*sides)
    if isinstance(node, ast.BoolOp):
        return _of_bool(node, version)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return _value(node.value, version)[node.slice.value]
    if isinstance(node, ast.Call) and not node.keywords:
        return _of_call(node, version)
    raise _Unknown


def _of_bool(node: ast.BoolOp, version: str) -> bool:
    decisive = isinstance(node.op, ast.Or)
    outcomes = [outcome(part, version) for part in node.values]
    if decisive in outcomes:
        return decisive
    if None in outcomes:
        raise _Unknown
    return not decisive


def _of_call(node: ast.Call, version: str) -> Any:
    if re.fullmatch(r"hasattr\((tf|tensorflow)(, 'compat'|\.compat, 'v1')\)", ast.unparse(node)):
        return True
    values = [_value(argument, version) for argument in node.args]
    function = ast.unparse(node.func).rpartition(".")[2]
    if isinstance(node.func, ast.Attribute) and function in _METHODS:
        return getattr(_value(node.func.value, version), function)(*values)
    if function in ("int", "float", "str") and len(values) == 1:
        return {"int": int, "float": float, "str": str}[function](values[0])
    if function in ("LooseVersion", "StrictVersion", "Version", "parse", "parse_version"):
        (text,) = values
        numbers = [int(part) for part in re.findall(r"\d+", text)]
        while numbers and not numbers[-1]:  # Version("2.0") is Version("2").
            numbers.pop()
        return numbers
    raise _Unknown
