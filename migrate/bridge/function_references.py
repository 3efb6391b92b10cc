"""Functions by name, as flags and saved models refer to them: "package.module:function".

>>> import_name(import_function("os.path:join"))
'posixpath:join'
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from migrate import loading, old_names
from migrate.bridge.errors import BridgeError


def import_function(name: str, flag: str = "model_fn") -> Callable[..., Any]:
    """Imports "package.module:function" and keeps eager execution enabled for Keras.

    A program that uses names of old TensorFlow gets them, as under `python -m legacy.run`.

    Raises:
      cli.UsageError: The module or the function does not exist. The message names it.
    """
    old_names.show(name)
    return loading.find_function(name, flag)


def import_name(function: Callable[..., Any]) -> str:
    """Returns "module:function" for a function that can be imported.

    Raises:
      BridgeError: The function cannot be imported, for example a nested function.
    """
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    attribute = getattr(importlib.import_module(module), name, None) if module else None
    if attribute is not function:
        raise BridgeError(
            f"{function!r} cannot be imported by name, so a saved file cannot refer to it: define "
            "it at the top of a module, or save only weights."
        )
    return f"{module}:{name}"
