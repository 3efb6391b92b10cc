"""Inspection of the arguments that a user's function takes.

Estimator passes an argument only if the function names it.

>>> names(lambda features, mode: None)
('features', 'mode')
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf


def names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of a function's positional parameters.

    As in TensorFlow 2.15, keyword-only parameters are left out, and wrappers made with
    `functools.wraps` are not unwrapped.

    Args:
      function: A function, method, `functools.partial` or callable object.

    Returns:
      The names in order, without `self`, `*args`, `**kwargs` and the arguments that a partial has
      bound.

    Raises:
      TypeError: `function` is not callable.
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
    """Returns whether the function takes `**kwargs`."""
    parameters = inspect.signature(function).parameters.values()
    return any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)


def check_hooks(hooks: Any, base: type, message: str) -> tuple[Any, ...]:
    """Returns the hooks (or listeners) as a tuple.

    Args:
      hooks: An iterable, or None.
      base: The class that each hook must be an instance of.
      message: The start of the error message, up to "given: ".

    Returns:
      The tuple. It is empty if `hooks` is None.

    Raises:
      TypeError: An element is not an instance of `base`, or `hooks` is not iterable.
    """
    hook_list = tuple(hooks or ())
    for hook in hook_list:
        if not isinstance(hook, base):
            raise TypeError(f"{message}, given: {hook}")
    return hook_list


def check_listeners(listeners: Any) -> list[Any]:
    """Returns saving listeners as a list.

    Args:
      listeners: An iterable, or None.

    Raises:
      TypeError: An element is not a `CheckpointSaverListener`, or `listeners` is not iterable.
    """
    message = "saving_listeners must be a list of CheckpointSaverListener"
    return [*check_hooks(listeners, tf.compat.v1.train.CheckpointSaverListener, message)]


def asked_for(
    function: Callable[..., Any], offered: Mapping[str, Callable[[], Any]]
) -> dict[str, Any]:
    """Returns the keyword arguments to call a function with.

    Args:
      function: The function to call.
      offered: Functions that make the values, by argument name. Only those whose name `function`
        takes are called.

    Returns:
      The values by name.

    Raises:
      TypeError: `function` is not callable.
    """
    return {name: offered[name]() for name in names(function) if name in offered}
