"""Decorators of tf.contrib.framework that warn of deprecated functions and arguments.

@deprecated("2018-01-01", "Use new_name.")
def old_name():
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _warn(func: Callable[..., Any], suffix: str, date: str | None, instructions: str) -> None:
    when = "in a future version" if date is None else f"after {date}"
    tf.compat.v1.logging.warning(
        "From %s: %s (from %s)%s is deprecated and will be removed %s.\n%s",
        func.__code__.co_filename,
        func.__qualname__,
        func.__module__,
        suffix,
        when,
        instructions,
    )


def _decorate(
    find_uses: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], list[str]],
    date: str | None,
    instructions: str,
    warn_once: bool,
) -> _Decorator:
    """Returns a decorator that warns of each deprecated use that `find_uses` finds in a call."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        reported: set[str] = set()

        @functools.wraps(func)
        def call(*args: Any, **kwargs: Any) -> Any:
            for use in find_uses(func, args, kwargs):
                if use not in reported or not warn_once:
                    reported.add(use)
                    _warn(func, use, date, instructions)
            return func(*args, **kwargs)

        return call

    return decorate


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> _Decorator:
    """Warns when a function is called.

    Args:
      date: Date of the removal, "YYYY-MM-DD", or None.
      instructions: Description of the replacement.
      warn_once: If true, only the first call warns.
    """
    return _decorate(lambda *_: [""], date, instructions, warn_once)


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> _Decorator:
    """Warns when deprecated arguments are passed to a function.

    Args:
      date: Date of the removal, "YYYY-MM-DD", or None.
      instructions: Description of the replacement.
      *deprecated_arg_names_or_tuples: Names, or pairs of a name and a value that causes no warning.
      **kwargs: `warn_once`, as in `deprecated`.
    """
    allowed = dict(
        item if isinstance(item, tuple) else (item, _NOTHING)
        for item in deprecated_arg_names_or_tuples
    )

    def find_deprecated(func: Callable[..., Any], args: Any, kwargs: Any) -> list[str]:
        call_arguments = inspect.signature(func).bind_partial(*args, **kwargs).arguments
        return [
            f" with {name}"
            for name in allowed
            if call_arguments.get(name, allowed[name]) != allowed[name]
        ]

    return _decorate(find_deprecated, date, instructions, kwargs.get("warn_once", True))


_NOTHING = object()


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> _Decorator:
    """Warns when arguments of a function have certain values.

    Args:
      date: Date of the removal, "YYYY-MM-DD", or None.
      instructions: Description of the replacement.
      warn_once: If true, only the first call warns.
      **deprecated_kwargs: Deprecated values, by argument name.
    """

    def find_deprecated(func: Callable[..., Any], args: Any, kwargs: Any) -> list[str]:
        call_arguments = inspect.signature(func).bind_partial(*args, **kwargs).arguments
        return [
            f" with {name}={value}"
            for name, value in deprecated_kwargs.items()
            if name in call_arguments and call_arguments[name] == value
        ]

    return _decorate(find_deprecated, date, instructions, warn_once)
