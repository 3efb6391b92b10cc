r"""Finds the statements that all modes share, also if each mode repeats them.

>>> train = ast.parse("y = net(x, training=True)").body
>>> predict = ast.parse("y = net(x, training=False)").body
>>> (found,) = common([train, predict])
>>> found.literals[train[0].value.keywords[0].value]
'training'
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Usual names of the argument that says whether a function trains.
FLAGS = frozenset(("is_train", "is_training", "phase_train", "train", "training"))


class Common(NamedTuple):
    """A statement that all modes have.

    Attributes:
      statement: The statement of the first mode.
      others: The statements of the other modes. The same node, if it is not repeated.
      literals: Texts for constants that differ between training and the other modes.
    """

    statement: ast.stmt
    others: tuple[ast.stmt, ...]
    literals: dict[ast.Constant, str]


def common(paths: Sequence[Sequence[ast.stmt]]) -> list[Common]:
    """Returns the statements that all modes have, in their order.

    Args:
      paths: Statements of each mode, with training first.
    """
    first, *others = paths
    at = [0] * len(others)
    found = []
    for statement in first:
        places = [
            next((i for i in range(start, len(path)) if same(path[i], statement)), -1)
            for path, start in zip(others, at, strict=True)
        ]
        if -1 in places:
            continue
        twins = tuple(path[i] for path, i in zip(others, places, strict=True))
        literals = _literals(statement, twins)
        if literals is not None:
            found.append(Common(statement, twins, literals))
            at = [i + 1 for i in places]
    return found


def same(one: ast.AST, other: ast.AST) -> bool:
    """Says whether two nodes do the same, except for flags that say whether they train."""
    return one is other or _text(one) == _text(other)


def _text(node: ast.AST) -> str:
    node = copy.deepcopy(node)
    for constant in _flags(node):
        constant.value = None
    return ast.dump(node)


def _flags(node: ast.AST) -> Iterator[ast.Constant]:
    """Yields the constants that tell a function whether it trains, in their order."""
    for part in ast.walk(node):
        for keyword in part.keywords if isinstance(part, ast.Call) else ():
            value = keyword.value
            if not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
                continue
            if keyword.arg in FLAGS:
                yield value


def _literals(statement: ast.stmt, twins: Sequence[ast.stmt]) -> dict[ast.Constant, str] | None:
    """Returns texts for the flags of a statement. None if they depend on more than training."""
    found: dict[ast.Constant, str] = {}
    columns = zip(_flags(statement), *map(_flags, twins), strict=True)
    for first, *others in columns:
        values = {one.value for one in others}
        if len(values) > 1:
            return None
        if values and first.value not in values:
            found[first] = "training" if first.value else "not training"
    return found
