"""Runs functions of an old program with the shapes and layers of TensorFlow 1.

    v1_behavior.need()  # The program is one that called disable_v2_behavior().
    with v1_behavior.on():
        spec = model_fn(features, labels, "train")

In the block, `shape[1]` is a Dimension, and layers compute in the float type of their input. Other
code in the same process keeps the behavior of TensorFlow 2, and eager execution stays on.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any

_is_needed = False
_active_blocks = 0
_casts_afterwards = False
_lock = threading.Lock()


def need() -> None:
    """Makes `on` have an effect from now on."""
    global _is_needed

    _is_needed = True


@contextlib.contextmanager
def on() -> Iterator[None]:
    """Switches to the behavior of TensorFlow 1, if `need` was called.

    Replicas run in separate threads and wait for each other, so blocks overlap. The last thread to
    leave restores the behavior of TensorFlow 2.
    """
    global _active_blocks, _casts_afterwards

    if not _is_needed:
        yield
        return
    import tensorflow as tf

    from modern.porting import float_types

    with _lock:
        if not _active_blocks:
            # With mixed precision, layers go on to compute in 16 bits.
            _casts_afterwards = float_types.are_cast()
        _active_blocks += 1
        tf.compat.v1.disable_v2_tensorshape()
        if _casts_afterwards:
            float_types.keep_float_types()
    try:
        yield
    finally:
        with _lock:
            _active_blocks -= 1
            if not _active_blocks:
                tf.compat.v1.enable_v2_tensorshape()
                if _casts_afterwards:
                    float_types.cast_float_types()


def during(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of the program as one that runs in `on`."""

    @functools.wraps(function)
    def switched(*args: Any, **kwargs: Any) -> Any:
        with on():
            return function(*args, **kwargs)

    # An Estimator passes only the arguments that it sees, and does not look into wrappers.
    switched.__signature__ = inspect.signature(function, follow_wrapped=False)  # type: ignore[attr-defined]
    return switched
