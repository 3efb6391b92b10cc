"""Imports functions of an untouched program with the TensorFlow that it was written for.

model_fn = old_names.function("old_job:model_fn", "--model_fn")
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from legacy import installing
from legacy.facade import api_choice, names, source
from modern import references

_ESTIMATOR = ("tf.estimator", "tf.compat.v1.estimator", "tf.compat.v2.estimator")
# The toolkit's own files, which a program of rung 1 imports.
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PACKAGES = tuple(os.path.join(_OURS, name, "") for name in ("legacy", "modern", "migrate"))


def api_of(reference: str) -> str | None:
    """Returns the TensorFlow that a program is written for, if today's lacks some of its names.

    Args:
      reference: "package.module:name".

    Returns:
      "v1", "v2", or None: the program needs no name that is gone, or cannot be read.
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


def install_for(reference: str) -> None:
    """Gives the process the TensorFlow of a program that needs it, as `python -m legacy.run` does.

    The first program decides which TensorFlow that is: the others are parts of the same job.

    Args:
      reference: "package.module:name".
    """
    global _decided

    if not _decided:
        _decided, api = True, api_of(reference)
        if api is not None:
            installing.install(api=api)


_decided = False


def function(reference: str, flag: str) -> Callable[..., Any]:
    """Imports a function of a program.

    Args:
      reference: "package.module:function".
      flag: The flag that the user gave it in, for messages.

    Raises:
      cli.UsageError: There is no such function.
    """
    install_for(reference)
    return references.find_function(reference, flag)
