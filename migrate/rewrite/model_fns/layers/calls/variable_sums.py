"""Writes `w += x` as `w = w + x`, if `w` is a variable.

    write(file, function, names, rendered)

A graph of TensorFlow 1 adds to the value of the variable. Variables of TensorFlow 2 refuse `+=`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.rendering import Rendered

_ATOMS = (ast.Attribute, ast.Call, ast.Constant, ast.Name, ast.Subscript)
_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.MatMult: "@",
    ast.Mod: "%",
    ast.Mult: "*",
    ast.Pow: "**",
    ast.Sub: "-",
}


def write(
    file: SourceFile, function: ast.FunctionDef, names: Collection[str], rendered: Rendered
) -> None:
    """Replaces the statements that compute with variables in place.

    Args:
      file: The file.
      function: Function with the statements.
      names: Names that the function gives to variables.
      rendered: Receives the new texts of the statements. Their parts have been replaced.
    """
    names = _with_aliases(function, names)
    for node in ast.walk(function):
        target = node.target if isinstance(node, ast.AugAssign) else None
        if not isinstance(node, ast.AugAssign) or not isinstance(target, ast.Name):
            continue
        symbol = _SYMBOLS.get(type(node.op))
        if target.id in names and symbol:
            value = rendered.text(node.value)
            value = value if isinstance(node.value, _ATOMS) else f"({value})"
            rendered.replace(node, f"{target.id} = {target.id} {symbol} {value}")


def _with_aliases(function: ast.FunctionDef, names: Collection[str]) -> set[str]:
    """Returns names, and those that the function assigns one of them to."""
    result, count = {*names}, -1
    while count != (count := len(result)):
        for node in ast.walk(function):
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(value, ast.Name) and value.id in result:
                result |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return result
