"""Calls of a user's function as tf.estimator made them: AutoGraph does not convert the function.

Conversion is slow where a function has loops over Python numbers: an input_fn that makes 16,000
examples took minutes instead of seconds. And converted code can act differently.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def unconverted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function, exempt from AutoGraph.

    What it passes to TensorFlow is still converted, such as the function of a `Dataset.map`, the
    `call` of a Keras layer and a `tf.function`. `tf.autograph.experimental.do_not_convert` would
    exempt these too, and an `if` on a tensor would fail in them.

    Args:
      function: An input_fn, a model_fn or a function that they are called by.
    """
    # AutoGraph calls a function with an lru_cache as it is. With maxsize=0, nothing is cached, and
    # the arguments need no hash.
    return functools.lru_cache(maxsize=0)(function)
