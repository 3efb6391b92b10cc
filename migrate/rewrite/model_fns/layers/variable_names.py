"""Names of layers, so that the variables of the class are called as those of the model_fn were.

    Named(('"tower"',), None, "dense").base       # '"tower/dense"'
    Named(("scope",), '"fc"', "dense").base       # 'scope + "/fc"'

Where the text tells the number of a layer, its name is written out. Elsewhere `modern.porting` has
`LayerNames`, which counts: for the layers of a loop, and for those of a function that is called in
several places.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import NamedTuple


class Named(NamedTuple):
    """Parts of the name of a layer or variable, as Python expressions.

    scopes: The variable scopes that it is in, from the outermost.
    own: The name that the program gives it; None if it is named and numbered by its kind.
    kind: The name that TensorFlow gives to layers of its kind, such as "dense"; "" for a function
      with layers, which has no name in TensorFlow.
    """

    scopes: tuple[str, ...]
    own: str | None
    kind: str

    @property
    def base(self) -> str:
        """The expression of the whole name without its number."""
        return joined([*self.scopes, self.own or json.dumps(self.kind)])


def numbered(made: Sequence[Named]) -> list[str]:
    """Returns the expressions of names, numbered in their order."""
    used: set[str] = set()
    found = []
    for one in made:
        text = one.base
        number = 0
        while one.own is None and text in used:
            number += 1
            text = one._replace(kind=f"{one.kind}_{number}").base
        used.add(text)
        found.append(text)
    return found


def joined(texts: Sequence[str]) -> str:
    """Returns the expression of some names with a slash between them.

    Args:
      texts: Python expressions of the names.
    """
    parts: list[str] = []  # Constants and other expressions, in turns.
    for text in texts:
        value = constant(text)
        begun = constant(parts[-1]) if parts else None
        if value is None:
            if begun is not None:
                parts[-1] = json.dumps(f"{begun}/")
            elif parts:
                parts.append('"/"')
            parts.append(text if text.isidentifier() else f"({text})")
        elif begun is not None:
            parts[-1] = json.dumps(f"{begun}/{value}")
        else:
            parts.append(json.dumps(f"/{value}" if parts else value))
    return parts[0][1:-1] if len(parts) == 1 and parts[0][0] == "(" else " + ".join(parts)


def constant(text: str) -> str | None:
    """Returns the value of the text of a string; None for another expression."""
    node = ast.parse(text, mode="eval").body
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else None
