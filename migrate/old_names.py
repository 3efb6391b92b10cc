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
from legacy.facade import api_choice, source

_ESTIMATOR = ("tf.estimator", "tf.compat.v1.estimator", "tf.compat.v2.estimator")
_shown: str | None = None
_inside = 0
_lock = threading.Lock()


def api_of(reference: str) -> str | None:
    """The TensorFlow that a program is written for, if today's lacks some of its names.

    Args:
      reference: "package.module:name".

    Returns:
      "v1", "v2", or None: it needs nothing that is gone, or cannot be read.
    """
    try:
        program = source.find_module(reference.partition(":")[0])
        uses, decision = api_choice.of_program(program)
    except (source.ProgramError, KeyError):  # KeyError: a folder without __init__.py in a package
        return None  # importing it says what is wrong, if anything is
    if decision.api == "v1":
        return "v1"
    return "v2" if any(use.name.startswith(_ESTIMATOR) for use in uses) else None


def show(reference: str) -> None:
    """Shows old programs their TensorFlow, if this one needs it; eager execution stays on.

    The first program decides which TensorFlow that is: the others are parts of the same job.

    Args:
      reference: "package.module:name".
    """
    global _shown

    if _shown is None:
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
