"""Methods that AutoGraph leaves alone, and that still say what their arguments are.

@as_written
def call(self, inputs, state): ...
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf


def as_written(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a layer's `call` with nothing to convert, as converting takes long.

    TensorFlow's own decorator takes any arguments, of which Keras infers that `training` is one of
    them, and passes it when it runs eagerly.
    """
    left_alone = tf.autograph.experimental.do_not_convert(function)
    left_alone.__signature__ = inspect.signature(function)
    return left_alone
