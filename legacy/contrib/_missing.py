"""Errors for names of tf.contrib that are not provided, with the reason and the alternative.

>>> print(error("training", "SequenceQueueingStateSaver"))  # doctest: +ELLIPSIS
tf.contrib.training.SequenceQueueingStateSaver is not provided: ...

A module of `legacy.contrib` ends with `__getattr__ = _missing.attribute_of("training")`. The list
is a data file, `left_out.json`. Its rows have `names` (relative to tf.contrib), `reason` and
`instead`.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable
from typing import Any, NoReturn

_FILE = pathlib.Path(__file__).with_name("left_out.json")


@functools.lru_cache(maxsize=1)
def rows() -> dict[str, tuple[str, str]]:
    """Returns (reason, instead) by dotted name, relative to tf.contrib, of all names left out."""
    entries = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: (row["reason"], row["instead"]) for row in entries for name in row["names"]}


def error(group: str, name: str) -> AttributeError:
    """Returns the error for a name that a part of contrib does not have.

    If the name, or a package that holds it, is listed in `left_out.json`, the message gives the
    reason and the alternative.

    Args:
      group: The part's dotted name relative to tf.contrib. "" is tf.contrib itself.
      name: The missing name.

    Returns:
      The error to raise.
    """
    path = f"{group}.{name}" if group else name
    listed_name = path
    while listed_name and listed_name not in rows():
        listed_name = listed_name.rpartition(".")[0]
    if not listed_name:
        where = f"tf.contrib.{group}" if group else "tf.contrib"
        return AttributeError(f"module {where!r} has no attribute {name!r}", name=name)
    reason, instead = rows()[listed_name]
    return AttributeError(f"tf.contrib.{path} is not provided: {reason}; {instead}.", name=name)


def attribute_of(group: str) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a module that replaces a part of tf.contrib.

    Args:
      group: The part's dotted name relative to tf.contrib.
    """

    def getattribute(name: str) -> NoReturn:
        raise error(group, name)

    return getattribute


def refuse(path: str) -> NoReturn:
    """Raises for a function or class that exists but cannot work.

    Args:
      path: The dotted name relative to tf.contrib, as listed in `left_out.json`.

    Raises:
      NotImplementedError: Always, with the reason and the alternative.
    """
    reason, instead = rows()[path]
    raise NotImplementedError(f"tf.contrib.{path} is not provided: {reason}; {instead}.")
