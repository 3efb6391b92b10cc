"""Default arguments for calls of some functions inside a `with`: tf.contrib.framework.arg_scope.

with arg_scope([layers.conv2d], padding="VALID", activation_fn=None) as scope:
    net = layers.conv2d(images, 32, 3)  # VALID, no activation.
with arg_scope(scope):  # Opens the same scope again.
    net = layers.conv2d(net, 64, 3, padding="SAME")  # An explicit argument wins.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any

# Arguments that are set in a scope, by function key.
_Scope = dict[str, dict[str, Any]]


class _Stack(threading.local):
    """The stack of open scopes in a thread. A new thread starts with the main thread's scope."""

    # A strategy runs the model function once per replica, in threads that take turns. With one
    # stack for all threads, a replica would see the scopes that another replica has opened.
    _main: list[_Scope] | None = None

    def __init__(self) -> None:
        outer = _Stack._main
        self.open: list[_Scope] = [outer[-1] if outer else {}]
        if threading.current_thread() is threading.main_thread():
            _Stack._main = self.open


_stack = _Stack()
# Names of the arguments that a scope can set, by function key.
_arguments: dict[str, tuple[str, ...]] = {}


def current_arg_scope() -> _Scope:
    """Returns the innermost open scope: arguments by function key."""
    return _stack.open[-1]


def arg_scope_func_key(op: Callable[..., Any]) -> str:
    """Returns the key of a function's arguments in a scope."""
    return getattr(op, "_key_op", str(op))


def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Returns true if the function is decorated with `add_arg_scope`."""
    return arg_scope_func_key(func) in _arguments


def arg_scoped_arguments(func: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of the arguments that a scope can set.

    Args:
      func: A function with `add_arg_scope`.

    Raises:
      AssertionError: The function is not decorated with `add_arg_scope`.
    """
    if not has_arg_scope(func):
        raise AssertionError(f"{func} is not decorated with @add_arg_scope")
    return _arguments[arg_scope_func_key(func)]


def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function so that `arg_scope` can set its arguments.

    Args:
      func: The function. Arguments that have a default can be set.
    """
    key = arg_scope_func_key(func)

    @functools.wraps(func)
    def with_scope(*args: Any, **kwargs: Any) -> Any:
        scope_arguments = current_arg_scope().get(key)
        return func(*args, **({**scope_arguments, **kwargs} if scope_arguments else kwargs))

    with_scope._key_op = key  # type: ignore[attr-defined]
    _arguments[key] = tuple(
        name
        for name, parameter in inspect.signature(func).parameters.items()
        if parameter.default is not parameter.empty
    )
    return with_scope


@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[_Scope]:
    """Opens a scope in which functions have other default arguments.

    Args:
      list_ops_or_scope: A list of functions with `add_arg_scope`, or a scope to open again.
      **kwargs: Arguments for each of the functions.

    Yields:
      The scope.

    Raises:
      TypeError: `list_ops_or_scope` is neither a list nor a scope.
      ValueError: A scope is passed together with arguments, or a function has no `add_arg_scope`.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                "A scope that is opened again takes no arguments: kwargs must be empty."
            )
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(current_arg_scope())
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                name = getattr(op, "__name__", op)
                raise ValueError(f"{name} is not decorated with @add_arg_scope")
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError(
            "list_ops_or_scope must either be a list/tuple of functions or a scope (a dict), not "
            f"{list_ops_or_scope!r}"
        )
    _stack.open.append(scope)
    try:
        yield scope
    finally:
        _stack.open.pop()
