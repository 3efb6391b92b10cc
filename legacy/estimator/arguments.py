"""Which arguments a user's function asks for: Estimator passes those and no others.

>>> names(lambda features, mode: None)
('features', 'mode')
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any


def names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of the parameters that can be passed by keyword.

    Args:
      function: A function, method, `functools.partial` or callable object.

    Returns:
      The names in order, without `self`, without `*args`, `**kwargs` and what a partial has bound.

    Raises:
      TypeError: It is not callable.
    """
    if not callable(function):
        raise TypeError(f"unsupported callable: {function!r}")
    bound: tuple[str, ...] = ()
    if isinstance(function, functools.partial):
        bound = tuple(function.keywords)
    wanted = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters.values()
    return tuple(p.name for p in parameters if p.kind in wanted and p.name not in bound)


def takes_any(function: Callable[..., Any]) -> bool:
    """Says whether the function has a `**kwargs`."""
    parameters = inspect.signature(function).parameters.values()
    return any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)


def check_hooks(hooks: Any, base: type, message: str) -> tuple[Any, ...]:
    """Returns the hooks (or listeners) as a tuple.

    Args:
      hooks: An iterable, or None.
      base: The class each must be an instance of.
      message: How the error starts, up to "given: ".

    Returns:
      The tuple; empty for None.

    Raises:
      TypeError: One of them is something else, or `hooks` is not iterable.
    """
    checked = tuple(hooks or ())
    for hook in checked:
        if not isinstance(hook, base):
            raise TypeError(f"{message}, given: {hook}")
    return checked
