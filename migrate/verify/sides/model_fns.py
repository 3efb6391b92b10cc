"""The model_fn of an Estimator, or of a function that returns an Estimator.

>>> def model_fn(features, labels, mode): ...
>>> find_model_fn(model_fn, {}) is model_fn
True
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from migrate import loading
from modern.process import cli


def find_model_fn(program: Any, params: Any) -> Callable[..., Any]:
    """Returns the model_fn of an Estimator, or of a function that returns an Estimator.

    A model_fn is returned unchanged.

    Args:
      program: A model_fn, an Estimator, or a function that returns an Estimator.
      params: Params, from which the function that returns an Estimator gets its arguments.

    Raises:
      cli.UsageError: The function takes no features, and returns no Estimator.
    """
    is_factory = callable(program) and not {"features", "labels", "mode"} & {
        *inspect.signature(program).parameters
    }
    estimator = program
    if is_factory:
        arguments = loading.arguments(program, params, "--legacy")
        try:
            estimator = program(**arguments)
        except Exception as error:
            raise cli.UsageError(
                f"--legacy: {program.__name__} takes no features, so it must return an Estimator, "
                f"but it failed: {type(error).__name__}: {error}"
            ) from error
    if is_factory or not callable(program):
        if not callable(getattr(estimator, "model_fn", None)):
            raise cli.UsageError(
                f"--legacy: {type(estimator).__name__} is neither a model_fn, which takes features "
                "and mode, nor an Estimator or a function that returns one."
            )
        return estimator.model_fn
    return program
