"""Decides which programs move to Keras 3, after the rules have been tried on their files.

A process has one Keras. So all files of a program move, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from migrate.rewrite.program.run import Result

DIRECTION = "keras3"


def staying(results: Mapping[str, Result], groups: Iterable[Iterable[str]]) -> frozenset[str]:
    """Returns the files of programs that stay on tf_keras.

    Args:
      results: The results of the rules of Keras 3, by path.
      groups: The files that share programs.
    """
    paths = {
        path
        for path, result in results.items()
        if result.error or any(message.needed for message in result.suggestions)
    }
    for group in groups:
        together = {*group}
        if paths & together:
            paths |= together
    return frozenset(paths)


def joined(before: Result, after: Result) -> Result:
    """Returns the result of two directions, one after the other.

    Args:
      before: The result of the first one.
      after: The result of the second one, which began with the text of the first.
    """
    return after._replace(
        changes=before.changes + after.changes,
        suggestions=(*before.suggestions, *after.suggestions),
        unsafe=tuple(sorted((*before.unsafe, *after.unsafe), key=lambda message: message.line)),
        checks=tuple(check._replace(keras=3) for check in before.checks),
        made=(*before.made, *after.made),
        lost_lines=before.lost_lines,
    )
