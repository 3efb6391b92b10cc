"""Names that programs with copied Estimator code import in addition to its classes.

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
    """Returns a decorator that warns at the first use of its symbol, as in TensorFlow 2.15.

    Args:
      *names: Public names of the symbol. Ignored, because they do not define the public API here.
      **kwargs: `v1`, the names in the v1 API. Ignored, too.
    """
    del names, kwargs

    def decorate(symbol: _Symbol) -> _Symbol:
        if not isinstance(symbol, type):
            return _warn_once(symbol)
        # In place, because the class must stay the same object for `isinstance` and subclasses.
        symbol.__init__ = _warn_once(symbol.__init__)  # type: ignore[misc]
        return symbol

    return decorate


def _warn_once(func: Any) -> Any:
    has_warned = False

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal has_warned
        if not has_warned:
            has_warned = True
            tf.compat.v1.logging.warning(
                "%s (from %s) is deprecated: use tf.keras instead.",
                func.__qualname__,
                getattr(func, "__module__", None),
            )
        return func(*args, **kwargs)

    # Estimator inspects the arguments of a model_fn, and does not follow __wrapped__.
    call.__signature__ = inspect.signature(func)  # type: ignore[attr-defined]
    return call


class TaskType:
    """Task types, as in the original's run_config."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"
