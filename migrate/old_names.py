"""Shows an untouched old program, such as one with tf.layers, the TensorFlow it was written for.

    old_names.show("old_job:model_fn")
    model_fn = loading.find("old_job:model_fn", "--legacy")

`legacy.install` shows it, as in `python -m legacy.run`. Other code in the same process keeps
today's TensorFlow and eager execution.
"""

from __future__ import annotations

import legacy
from legacy.old_names import api_of
from migrate import v1_behavior

_api: str | None = None
_read_modules: set[str] = set()  # Modules that need nothing. Reading a program takes seconds.


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
            if _api == "v1":
                v1_behavior.need()
