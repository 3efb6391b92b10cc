"""Calling a logit function, which builds a model's logits and nothing else.

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
    """Calls a logit function with those of the arguments after `features` that it names.

    Args:
      logit_fn: The function.
      features: Features; always passed.
      mode: A `ModeKeys`.
      params: Hyperparameters.
      config: A `RunConfig`.

    Returns:
      What it returns: logits, or logits by a head's name.

    Raises:
      ValueError: It returns something else.
    """
    asked = arguments.names(logit_fn)
    offered = {"mode": mode, "params": params, "config": config}
    logits = logit_fn(
        features=features, **{name: value for name, value in offered.items() if name in asked}
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
