"""Calls a function for each EstimatorSpec that an Estimator gets from its model_fn.

    patches(after)["legacy.estimator.estimator"](module)

The function may still change the graph, because no session has run it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_MODULES = ("legacy.estimator.estimator", "legacy.contrib.learn.estimators.estimator")


def patches(after: Callable[[Any, Any, str], None]) -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch Estimators, by module.

    Args:
      after: Function of the spec, the features and labels, and the mode.
    """

    def patch(module: Any) -> None:
        kind = module.Estimator
        call_model_fn = kind._call_model_fn

        @functools.wraps(call_model_fn)
        def call(
            self: Any, features: Any, labels: Any, mode: Any, *args: Any, **kwargs: Any
        ) -> Any:
            spec = call_model_fn(self, features, labels, mode, *args, **kwargs)
            after(spec, [features, labels], str(mode))
            return spec

        kind._call_model_fn = call

    return dict.fromkeys(_MODULES, patch)
