"""What programs that copied Estimator code import beside its classes.

>>> @estimator_export("estimator.MyEstimator")
... class MyEstimator:
...     pass
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import tensorflow as tf

_Symbol = TypeVar("_Symbol", bound=Callable[..., Any])


def estimator_export(*names: str, **kwargs: Any) -> Callable[[_Symbol], _Symbol]:
    """Returns a decorator that warns of the first use of its symbol, as that of TensorFlow 2.15.

    Args:
      *names: The symbol's public names: the public API is not made of such marks.
      **kwargs: `v1`, the names in the v1 API.
    """
    del names, kwargs

    def decorate(symbol: _Symbol) -> _Symbol:
        if not isinstance(symbol, type):
            return _warn_once(symbol)
        symbol.__init__ = _warn_once(symbol.__init__)  # type: ignore[misc]
        return symbol

    return decorate


def _warn_once(func: Any) -> Any:
    warned = False

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal warned
        if not warned:
            warned = True
            tf.compat.v1.logging.warning(
                "%s (from %s) is deprecated: use tf.keras instead.",
                func.__qualname__,
                getattr(func, "__module__", None),
            )
        return func(*args, **kwargs)

    # Estimator looks at what a model function takes, and not through wrappers.
    call.__signature__ = inspect.signature(func)  # type: ignore[attr-defined]
    return call


class TaskType:
    """The types of tasks, as run_config's TaskType had them."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"
