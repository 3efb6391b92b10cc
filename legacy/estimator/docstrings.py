"""Argument descriptions that several docstrings share.

>>> @documented({"rate": "Learning rate. {default}"}, default="Defaults to 0.1.")
... def train(rate=0.1):
...     '''Trains a model.
...
...     {args}
...     '''
>>> print(train.__doc__)
Trains a model.
<BLANKLINE>
Args:
  rate: Learning rate. Defaults to 0.1.

A description is written once, in a table by argument name, and `help()` shows the complete text.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

_Documented = TypeVar("_Documented", bound=Callable[..., Any])

_WIDTH = 100


def documented(texts: Mapping[str, str], **overrides: str) -> Callable[[_Documented], _Documented]:
    """Returns a decorator that replaces `{args}` in the docstring of a function or class.

    The replacement is the section "Args:" with a description of each argument of the signature.

    Args:
      texts: Descriptions by argument name. A description may contain placeholders such as `{rate}`
        for other entries of the table.
      **overrides: Entries that replace those of the table for this function or class.

    Returns:
      A decorator. It raises KeyError if the table lacks an argument or a placeholder.
    """
    table = {**texts, **overrides}

    def fill(target: _Documented) -> _Documented:
        args = "\n".join(["Args:", *_descriptions(target, table)])
        target.__doc__ = inspect.cleandoc(target.__doc__).replace("{args}", args)
        return target

    return fill


def _descriptions(target: Callable[..., Any], table: Mapping[str, str]) -> list[str]:
    return [
        textwrap.fill(
            f"{name}: {table[name].format_map(table)}",
            width=_WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for name in inspect.signature(target).parameters
        if name != "self"
    ]
