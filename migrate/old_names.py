"""Shows an untouched old program, such as one with tf.layers, the TensorFlow it was written for.

    old_names.show("old_job:model_fn")
    model_fn = loading.find("old_job:model_fn", "--legacy")
    with old_names.shapes():
        spec = model_fn(features, labels, "train")

`legacy.install` shows it, as in `python -m legacy.run`. Other code in the same process keeps
today's TensorFlow and eager execution.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import legacy
from legacy.old_names import api_of

_api: str | None = None
_read_modules: set[str] = set()  # Modules that need nothing. Reading a program takes seconds.
_active_blocks = 0
_lock = threading.Lock()


def show(reference: str) -> None:
    """Shows old programs their TensorFlow, if this program needs it. Eager execution stays on.

    The first program decides the API. Later ones are parts of the same job.

    Args:
      reference: "package.module:name".
    """
    global _api

    module = reference.partition(":")[0]
    if _api is None and module not in _read_modules:
        _read_modules.add(module)
        _api = api_of(reference)
        if _api is not None:
            import tensorflow as tf

            legacy.install(api=_api)
            # For v1, install() disables v2 behavior. Keras needs it, and eager execution with it.
            tf.compat.v1.enable_v2_behavior()


@contextlib.contextmanager
def shapes() -> Iterator[None]:
    """Makes `shape[1]` a Dimension, as in TensorFlow 1, while a function of the job runs.

    Replicas run in separate threads and wait for each other, so blocks overlap. The last thread to
    leave restores TensorFlow 2's shapes.
    """
    global _active_blocks

    if _api != "v1":
        yield
        return
    import tensorflow as tf

    with _lock:
        _active_blocks += 1
        tf.compat.v1.disable_v2_tensorshape()
    try:
        yield
    finally:
        with _lock:
            _active_blocks -= 1
            if not _active_blocks:
                tf.compat.v1.enable_v2_tensorshape()


def with_shapes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of the job as one that runs in `shapes`."""

    @functools.wraps(function)
    def shaped(*args: Any, **kwargs: Any) -> Any:
        with shapes():
            return function(*args, **kwargs)

    return shaped if _api == "v1" else function
