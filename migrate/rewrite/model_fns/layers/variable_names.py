"""Names of layers that give the variables of the class the names that the model_fn gave them.

    ScopedName(('"tower"',), None, "dense").base       # '"tower/dense"'
    ScopedName(("scope",), '"fc"', "dense").base       # 'scope + "/fc"'

If the text determines the number of a layer, its name is written out. Otherwise
`modern.porting.LayerNames` counts at run time, for example for layers in a loop, or in a function
with several calls.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import NamedTuple

_ATOMS = (ast.Name, ast.Attribute, ast.Subscript)


class ScopedName(NamedTuple):
    """Parts of the name of a layer or variable, as Python expressions.

    Attributes:
      scopes: Names of the variable scopes, the outermost first.
      own: Name from the program, or None if TensorFlow names and numbers the layer by its kind.
      kind: Name that TensorFlow gives to layers of this kind, such as "dense". "" for a function
        with layers, which has no name in TensorFlow.
    """

    scopes: tuple[str, ...]
    own: str | None
    kind: str

    @property
    def base(self) -> str:
        """The expression of the whole name, without its number."""
        return joined([*self.scopes, self.own or json.dumps(self.kind)])


def numbered(names: Sequence[ScopedName]) -> list[str]:
    """Returns the expressions of names, numbered in their order."""
    used_texts: set[str] = set()
    expressions = []
    for name in names:
        text = name.base
        number = 0
        while name.own is None and text in used_texts:
            number += 1
            text = name._replace(kind=f"{name.kind}_{number}").base
        used_texts.add(text)
        expressions.append(text)
    return expressions


def joined(texts: Sequence[str]) -> str:
    """Returns the expression that joins names with slashes.

    Args:
      texts: Python expressions of the names.
    """
    parts: list[str] = []  # Neighboring constants are merged into one.
    for text in texts:
        value = constant(text)
        prefix = constant(parts[-1]) if parts else None
        if value is None:
            if prefix is not None:
                parts[-1] = json.dumps(f"{prefix}/")
            elif parts:
                parts.append('"/"')
            is_atom = isinstance(ast.parse(text, mode="eval").body, _ATOMS)
            parts.append(text if is_atom else f"({text})")
        elif prefix is not None:
            parts[-1] = json.dumps(f"{prefix}/{value}")
        else:
            parts.append(json.dumps(f"/{value}" if parts else value))
    return parts[0][1:-1] if len(parts) == 1 and parts[0][0] == "(" else " + ".join(parts)


def constant(text: str) -> str | None:
    """Returns the value of a string literal. None for other expressions."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None
