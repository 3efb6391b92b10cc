r"""Finds the statements that all modes share, including statements that each mode repeats.

>>> train = ast.parse("y = net(x, training=True)").body
>>> predict = ast.parse("y = net(x, training=False)").body
>>> (statement,) = common([train, predict])
>>> statement.literals[train[0].value.keywords[0].value]
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
      others: The statement in each other mode, which is the same node if it is not repeated.
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
    starts = [0] * len(others)
    statements = []
    for statement in first:
        places = [
            next((i for i in range(start, len(path)) if is_same(path[i], statement)), -1)
            for path, start in zip(others, starts, strict=True)
        ]
        if -1 in places:
            continue
        twins = tuple(path[i] for path, i in zip(others, places, strict=True))
        literals = _literals(statement, twins)
        if literals is not None:
            statements.append(Common(statement, twins, literals))
            starts = [i + 1 for i in places]
    return statements


def is_same(first: ast.AST, second: ast.AST) -> bool:
    """Says whether two nodes are equal, except for flags that say whether they train."""
    return first is second or _text(first) == _text(second)


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
    texts: dict[ast.Constant, str] = {}
    columns = zip(_flags(statement), *map(_flags, twins), strict=True)
    for first, *others in columns:
        values = {constant.value for constant in others}
        if len(values) > 1:
            return None
        if values and first.value not in values:
            texts[first] = "training" if first.value else "not training"
    return texts
