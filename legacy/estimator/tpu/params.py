"""Hyperparameters of a TPUEstimator, which adds values such as "batch_size".

>>> with_value({"rate": 0.1}, "batch_size", 8)
{'rate': 0.1, 'batch_size': 8}
"""

from __future__ import annotations

from typing import Any

BATCH_SIZE, USE_TPU = "batch_size", "use_tpu"
RESERVED = (BATCH_SIZE, "context")


def check(params: Any) -> None:
    """Checks that hyperparameters have no name that TPUEstimator sets itself.

    Args:
      params: A dict, an HParams, or None.

    Raises:
      ValueError: If they have a reserved name.
    """
    if params is not None and any(key in params for key in RESERVED):
        raise ValueError(f"{RESERVED} are reserved keys but existed in params {params}.")


def with_value(params: Any, key: str, value: Any) -> Any:
    """Sets a hyperparameter and returns all hyperparameters.

    Args:
      params: A dict, or an HParams, which has its own methods for setting a value.
      key: Name of the hyperparameter.
      value: Value of the hyperparameter.
    """
    if not hasattr(params, "set_hparam"):
        params[key] = value
    elif key in params:
        params.set_hparam(key, value)
    else:
        params.add_hparam(key, value)
    return params
