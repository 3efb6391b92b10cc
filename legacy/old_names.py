"""Imports functions of an untouched program with the TensorFlow that it was written for.

    model_fn = old_names.function("old_job:model_fn", "--model_fn")

From then on, the program's code sees that TensorFlow, as after `legacy.install`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy import installing
from legacy.reading import api_choice, source
from modern.process import references

_ESTIMATOR = ("tf.estimator", "tf.compat.v1.estimator", "tf.compat.v2.estimator")


def api_of(reference: str) -> str | None:
    """Returns the API that a program needs, if today's TensorFlow lacks some of its names.

    Args:
      reference: "package.module:name".

    Returns:
      "v1" or "v2". None if the program uses no name that was removed, or cannot be read.
    """
    try:
        program = source.find_module(reference.partition(":")[0])
        uses, decision = api_choice.of_program(program)
    except (source.ProgramError, KeyError):  # KeyError: a folder without __init__.py in a package
        return None  # Importing the program reports any error.
    if decision.api == "v1":
        return "v1"
    return "v2" if any(use.name.startswith(_ESTIMATOR) for use in uses) else None


def install_for(reference: str) -> None:
    """Shows the process the TensorFlow that a program needs, as `python -m legacy.run` does.

    The first program decides the API. Later ones are parts of the same job.

    Args:
      reference: "package.module:name".
    """
    global _is_decided

    if not _is_decided:
        api = api_of(reference)
        if api is not None:
            installing.install(api=api)
        _is_decided = True  # Not before, because either call may fail.


_is_decided = False


def function(reference: str, flag: str) -> Callable[..., Any]:
    """Imports a function of a program.

    Args:
      reference: "package.module:function".
      flag: The flag that holds the reference, for messages.

    Raises:
      cli.UsageError: The function does not exist.
    """
    install_for(reference)
    return references.find_function(reference, flag)
