"""What programs that copied Estimator code import beside its classes.

>>> @estimator_export("estimator.MyEstimator")
... class MyEstimator:
...     pass
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Symbol = TypeVar("_Symbol")


def estimator_export(*names: str, **kwargs: Any) -> Callable[[_Symbol], _Symbol]:
    """Returns a decorator that leaves its symbol alone: the public API is not made of such marks.

    Args:
      *names: The symbol's public names.
      **kwargs: `v1`, the names in the v1 API.
    """
    del names, kwargs
    return lambda symbol: symbol


class TaskType:
    """The types of tasks, as run_config's TaskType had them."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"
