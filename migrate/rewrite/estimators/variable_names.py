"""Finds reads of variables that a Keras model does not have under the names of an Estimator.

reason = problem(method_call)

A Keras model has the weights and the step of an Estimator. The slots of its optimizer have other
names, and some have other values.
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite.analysis.estimator_uses import MethodCall

_SLOT = re.compile(
    r"(^|/)(beta[12]_power|training/.*"
    r"|(Adadelta|Adagrad|AdagradDA|Adam|Ftrl|Momentum|ProximalAdagrad|RMSProp)(_[12])?)$"
)
_LISTED = "get_variable_names no longer lists the slots of the optimizer"


def refusal(method_call: MethodCall) -> str:
    """Returns the reason why a call needs a variable that no Keras model has, or "".

    Args:
      method_call: A call of `get_variable_names` or `get_variable_value`.
    """
    node = method_call.arguments.get("name")
    name = node.value if isinstance(node, ast.Constant) else None
    if isinstance(name, str) and _SLOT.search(name):
        return (
            f"{method_call.method} in line {method_call.call.lineno} reads {name!r}, a slot of "
            "the optimizer, which has another name in Keras"
        )
    return ""


def problem(method_call: MethodCall) -> str:
    """Returns the reason why the result of a call may differ, or "" if it cannot.

    Args:
      method_call: A call of `get_variable_names` or `get_variable_value`.
    """
    return _LISTED if method_call.method == "get_variable_names" else ""
