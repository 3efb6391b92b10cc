"""Imports of objects that a flag names as `MODULE:NAME`, and parameters from JSON.

    model_fn = references.find_function("my_job.model:model_fn", "--model_fn")
    params = references.parameters('{"learning_rate": 0.1}', "--model_params")

All errors are usage errors, which name the flag.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
from collections.abc import Callable
from typing import Any

from modern.process import cli, foreign_files

_NAME = re.compile(r"^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$")


def check_form(reference: str, flag: str) -> None:
    """Raises UsageError unless a flag's value has the form MODULE:NAME. Imports nothing."""
    if not _NAME.match(reference):
        raise cli.UsageError(
            f"{flag}={reference}: must be MODULE:NAME, such as my_job.model:model_fn."
        )


def find(reference: str, flag: str) -> Any:
    """Imports a module and returns the object of a name in it.

    Args:
      reference: "package.module:name". The name may have dots, as in "job:Model.build".
      flag: The flag that has this value, for the message.

    Returns:
      The object of that name.

    Raises:
      cli.UsageError: The text has another form, the module cannot be imported, or it has no such
        name.
    """
    check_form(reference, flag)
    module_name, _, name = reference.partition(":")
    try:
        target: Any = importlib.import_module(module_name)
    # Any error is a usage error here, because the import runs the code of the user.
    except Exception as error:
        raise cli.UsageError(
            f"{flag}={reference}: importing {module_name} failed: "
            f"{type(error).__name__}: {error} (modules are looked for from {os.getcwd()} and in "
            "PYTHONPATH)."
        ) from error
    for part in name.split("."):
        if not hasattr(target, part):
            raise cli.UsageError(f"{flag}={reference}: {module_name} has no {name!r}.")
        target = getattr(target, part)
    return target


def find_function(reference: str, flag: str) -> Callable[..., Any]:
    """Imports a function like `find`, and refuses an object that cannot be called."""
    function = find(reference, flag)
    if not callable(function):
        raise cli.UsageError(f"{flag}={reference}: is {type(function).__name__}, not a function.")
    return function


def parameters(text: str | None, flag: str) -> Any:
    """Returns the `params` of a model_fn, from JSON or from a module.

    Args:
      text: A JSON object, or MODULE:NAME of a dict, of an object such as HParams, or of a function
        that returns one of these. None for an empty dict.
      flag: The flag that has this value, for the message.

    Raises:
      cli.UsageError: The text is neither MODULE:NAME nor a JSON object.
    """
    if text is None:
        return {}
    if _NAME.match(text):
        value = find(text, flag)
        # Not `callable`: an object such as HParams may have a `__call__`, and is the params itself.
        return value() if inspect.isfunction(value) else value
    value_text = foreign_files.one_line(text)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise cli.UsageError(
            f"{flag}={value_text}: is neither MODULE:NAME nor JSON ({error.msg} at character "
            f"{error.pos + 1})."
        ) from error
    except (RecursionError, ValueError) as error:
        reason = foreign_files.reason(error)
        raise cli.UsageError(f"{flag}={value_text}: cannot be read as JSON: {reason}.") from error
    if not isinstance(value, dict):
        raise cli.UsageError(
            f'{flag}={value_text}: must be a JSON object, such as {{"learning_rate": 0.1}}.'
        )
    return value
