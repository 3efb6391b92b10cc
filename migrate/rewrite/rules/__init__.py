"""All rewriting rules: each is a file in `legacy/` or `modern/`, and known by its name.

>>> [rule.name for rule in all_rules("legacy")][:2]
['contrib_and_estimator', 'flags']
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Sequence

from migrate.rewrite.engine.rule import Rule

DIRECTIONS = ("legacy", "modern")


@functools.lru_cache(maxsize=len(DIRECTIONS))
def all_rules(to: str) -> Sequence[Rule]:
    """Returns the rules of a direction, in the order of their names; imports neither LibCST nor TF.

    Args:
      to: "legacy" or "modern".

    Raises:
      ValueError: There is no such direction.
    """
    if to not in DIRECTIONS:
        raise ValueError(f"to={to!r}: use one of {', '.join(DIRECTIONS)}.")
    folder = os.path.join(os.path.dirname(__file__), to)
    names = sorted(
        file.removesuffix(".py")
        for file in os.listdir(folder)
        if file.endswith(".py") and not file.startswith("_")
    )
    return tuple(importlib.import_module(f"{__name__}.{to}.{name}").RULE for name in names)
