"""Which arguments a user's function asks for: Estimator passes those and no others.

>>> names(lambda features, mode: None)
('features', 'mode')
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf


def names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of the parameters by which a caller may pass values.

    A parameter that can only be given by keyword is the function's own affair, as it was in
    TensorFlow 2.15, and so is what stands behind a wrapper of `functools.wraps`.

    Args:
      function: A function, method, `functools.partial` or callable object.

    Returns:
      The names in order, without `self`, without `*args`, `**kwargs` and what a partial has bound.

    Raises:
      TypeError: It is not callable.
    """
    if isinstance(function, functools.partial):
        free = names(function.func)[len(function.args) :]
        return tuple(name for name in free if name not in function.keywords)
    if not callable(function):
        raise TypeError(f"unsupported callable: {function!r}")
    positional = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return tuple(p.name for p in parameters if p.kind in positional)


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


def check_listeners(listeners: Any) -> list[Any]:
    """Returns saving listeners as a list.

    Args:
      listeners: An iterable, or None.

    Raises:
      TypeError: One of them is no `CheckpointSaverListener`, or they are not iterable.
    """
    message = "saving_listeners must be a list of CheckpointSaverListener"
    return [*check_hooks(listeners, tf.compat.v1.train.CheckpointSaverListener, message)]


def asked_for(
    function: Callable[..., Any], offered: Mapping[str, Callable[[], Any]]
) -> dict[str, Any]:
    """Returns what a function asks for of what there is.

    Args:
      function: The function.
      offered: By argument name, what makes the value; called for the names that are asked for.

    Returns:
      The values by name.

    Raises:
      TypeError: The function is not callable.
    """
    return {name: offered[name]() for name in names(function) if name in offered}
