"""Decorator that exempts a method from AutoGraph and keeps the signature of the method.

@as_written
def call(self, inputs, state): ...
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf


def as_written(function: Callable[..., Any]) -> Callable[..., Any]:
    """Exempts a layer's `call` from AutoGraph, because conversion is slow and nothing needs it.

    TensorFlow's own decorator has the signature `(*args, **kwargs)`. Keras infers from it that
    `call` takes `training`, and passes that argument when it runs eagerly. This decorator therefore
    restores the signature.
    """
    left_alone = tf.autograph.experimental.do_not_convert(function)
    left_alone.__signature__ = inspect.signature(function)
    return left_alone
