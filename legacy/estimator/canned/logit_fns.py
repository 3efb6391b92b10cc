"""Calls a logit_fn, a function that computes the logits of a model.

>>> import tensorflow as tf
>>> def logit_fn(features, mode):
...     return 2.0 * features["x"]
>>> logits = call_logit_fn(logit_fn, {"x": tf.ones([4, 1])}, "train", params={}, config=None)
>>> logits.shape.as_list()
[4, 1]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments


def call_logit_fn(
    logit_fn: Callable[..., Any], features: Any, mode: str, params: Any, config: Any
) -> tf.Tensor | dict[str, tf.Tensor]:
    """Calls a logit function with the features and the other arguments that it declares.

    Args:
      logit_fn: The logit function.
      features: Features. They are always passed.
      mode: One of `ModeKeys`.
      params: Hyperparameters.
      config: A `RunConfig`.

    Returns:
      The logits, or a dict of logits by head name.

    Raises:
      ValueError: If the function returns a value of another type.
    """
    names = arguments.names(logit_fn)
    argument_values = {"mode": mode, "params": params, "config": config}
    logits = logit_fn(
        features=features,
        **{name: value for name, value in argument_values.items() if name in names},
    )
    if tf.is_tensor(logits) or _are_named_tensors(logits):
        return logits
    raise ValueError(
        "logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  "
        f"logit_fn returned: {logits}"
    )


def _are_named_tensors(logits: Any) -> bool:
    return isinstance(logits, dict) and all(
        isinstance(name, str) and tf.is_tensor(value) for name, value in logits.items()
    )
