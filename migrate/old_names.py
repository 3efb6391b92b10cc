"""Shows an untouched old program, one that says tf.layers or tf.contrib, the TensorFlow it knew.

    old_names.show("old_job:model_fn")
    model_fn = loading.find("old_job:model_fn", "--legacy")
    with old_names.shapes():
        spec = model_fn(features, labels, "train")

It is shown by `legacy.install`, as `python -m legacy.run` does it; what is in the same process and
is no old program keeps today's TensorFlow, and eager execution.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import legacy
from legacy.old_names import api_of

_shown: str | None = None
_read: set[str] = set()  # Modules that need nothing: reading them again takes seconds.
_inside = 0
_lock = threading.Lock()


def show(reference: str) -> None:
    """Shows old programs their TensorFlow, if this one needs it; eager execution stays on.

    The first program decides which TensorFlow that is: the others are parts of the same job.

    Args:
      reference: "package.module:name".
    """
    global _shown

    module = reference.partition(":")[0]
    if _shown is None and module not in _read:
        _read.add(module)
        _shown = api_of(reference)
        if _shown is not None:
            import tensorflow as tf

            legacy.install(api=_shown)
            tf.compat.v1.enable_v2_behavior()


@contextlib.contextmanager
def shapes() -> Iterator[None]:
    """While a function of the job runs, `shape[1]` is what it was: a Dimension in TensorFlow 1.

    Replicas run in threads of their own and wait for one another: the last one to leave restores.
    """
    global _inside

    if _shown != "v1":
        yield
        return
    import tensorflow as tf

    with _lock:
        _inside += 1
        tf.compat.v1.disable_v2_tensorshape()
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                tf.compat.v1.enable_v2_tensorshape()


def with_shapes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of the job as one that runs in `shapes`."""

    @functools.wraps(function)
    def shaped(*args: Any, **kwargs: Any) -> Any:
        with shapes():
            return function(*args, **kwargs)

    return shaped if _shown == "v1" else function
