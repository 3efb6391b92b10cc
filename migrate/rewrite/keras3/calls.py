"""Writes the calls of keras.ops that replace calls of other functions.

code = calls.replaced(file, match, FUNCTIONS["nn.relu"])
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.engine.texts import quoted
from migrate.rewrite.keras3 import float_values, names, tensor_functions
from migrate.rewrite.keras3.tensor_functions import Replacement

# Older names of parameters in tf.compat.v1.
_OLD_PARAMETERS = {
    **dict.fromkeys(("dim", "dimension", "reduction_indices", "squeeze_dims"), "axis"),
    "keep_dims": "keepdims",
}
_TYPES = frozenset(
    (
        *("bfloat16", "bool", "float16", "float32", "float64", "int8", "int16", "int32", "int64"),
        *("uint8", "uint16", "uint32"),
    )
)


class Code(NamedTuple):
    """New code for a call.

    Attributes:
      text: The code, or "" if there is none.
      imports: The imports that it needs.
      reason: The reason why there is none, or why it may compute something else, or "".
    """

    text: str
    imports: tuple[Import, ...] = ()
    reason: str = ""


def replaced(file: SourceFile, match: Match, replacement: Replacement) -> Code:
    """Returns the code that replaces a call.

    Args:
      file: The file.
      match: The occurrence of the function, which is called.
      replacement: Its replacement.
    """
    name = file.segment(match.node)
    if match.call is None:
        return Code("", reason=f"{name} is named, but not called")
    if replacement.is_of_v2 and match.full_name.startswith("tensorflow.compat.v1."):
        return Code("", reason=f"{name} of tf.compat.v1 is another function")
    known = tensor_functions.arguments_of(replacement.text)
    args = arguments.bind(match.call, replacement.parameters)
    if args is None:
        return Code("", reason=f"{name} has more arguments than keras.ops knows")
    args = {_OLD_PARAMETERS.get(key, key): value for key, value in args.items() if key != "name"}
    unknown = sorted(key for key in args if key not in known and not _is_none(args[key]))
    if unknown:
        return Code("", reason=f"keras.ops has no argument {unknown[0]} of {name}")
    args = {key: value for key, value in args.items() if key in known and not _is_none(value)}
    types = tensor_functions.types_of(replacement.text)
    texts = {}
    for key, value in args.items():
        text = _type_of(file, value) if key in types else file.segment(value)
        if not text or (key in replacement.literals and not _is_literal(value)):
            return Code("", reason=f"the argument {key} of {name} is only known in a run")
        texts[key] = text
    keras, imports = names.keras(file)
    code = tensor_functions.filled(replacement.text, texts, f"{keras}.ops")
    if code is None:
        return Code("", reason=f"{name} lacks an argument")
    first = next(iter(args.values()), None)
    reason = f"{name} {replacement.integers}" if replacement.integers else ""
    if reason and first is not None and float_values.is_float(file, first):
        reason = ""
    if replacement.reason:
        reason = f"{name} {replacement.reason}"
    return Code(code, imports if f"{keras}.ops" in code else (), reason)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_literal(node: ast.expr) -> bool:
    """Says whether an expression is a number, or a list of values."""
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    if isinstance(node, (ast.List, ast.Tuple)):
        return not any(isinstance(item, ast.Starred) for item in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _type_of(file: SourceFile, node: ast.expr) -> str:
    """Returns the text of a type for keras.ops, or "" if it is not known."""
    if isinstance(node, ast.Constant) and node.value in _TYPES:
        return file.segment(node)
    name = (file.name_of(node) or "").removeprefix("tf.")
    return quoted(name) if name in _TYPES else ""
