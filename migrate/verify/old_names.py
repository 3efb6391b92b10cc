"""Has an untouched old program verified: one that says tf.estimator, tf.contrib, tf.placeholder.

    api = old_names.api_of("old_job:model_fn")     # "v1", "v2", or None where nothing is missing
    if api:
        old_names.install(api)
    model_fn = old_names.with_shapes_of(api, loading.find("old_job:model_fn", "--legacy"))

The program is shown its TensorFlow by `legacy.install`, as `python -m legacy.run` does it; the
port, in the same process, keeps today's.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import legacy
from legacy.facade import api_choice, names, source

_ESTIMATOR = ("tf.estimator", "tf.compat.v1.estimator", "tf.compat.v2.estimator")
# The toolkit's own files, which a program of rung 1 imports.
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(legacy.__file__)))
_PACKAGES = tuple(os.path.join(_OURS, name, "") for name in ("legacy", "modern", "migrate"))


def api_of(reference: str) -> str | None:
    """The TensorFlow that a program is written for, if today's lacks some of its names.

    Args:
      reference: "package.module:name".

    Returns:
      "v1", "v2", or None: it needs nothing that is gone, or cannot be read.
    """
    try:
        program = source.find_module(reference.partition(":")[0])
        uses = [
            use
            for module in program.modules()
            if not module.path.startswith(_PACKAGES)
            for use in names.uses_in(module.tree, module.path, module is program)
        ]
    except (source.ProgramError, KeyError):  # KeyError: a folder without __init__.py in a package
        return None  # importing it says what is wrong, if anything is
    plain = [u for u in uses if u.name.startswith("tf.") and not u.name.startswith("tf.compat.")]
    if api_choice.choose(plain)[0] == "v1":
        return "v1"
    return "v2" if any(use.name.startswith(_ESTIMATOR) for use in uses) else None


def install(api: str) -> None:
    """Shows programs their TensorFlow; eager execution stays on, for the port."""
    import tensorflow as tf

    legacy.install(api=api)
    tf.compat.v1.enable_v2_behavior()


def with_shapes_of(api: str | None, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function during which `shape[1]` is what it was: a Dimension in TensorFlow 1."""
    if api != "v1":
        return function
    import tensorflow as tf

    @functools.wraps(function)
    def shaped(*args: Any, **kwargs: Any) -> Any:
        tf.compat.v1.disable_v2_tensorshape()
        try:
            return function(*args, **kwargs)
        finally:
            tf.compat.v1.enable_v2_tensorshape()

    return shaped
