"""Errors for a model_fn that cannot be bridged. They name the line that prevents it."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from modern.process import cli


class BridgeError(cli.UsageError):
    """Reports a model_fn or a request that cannot be bridged, with the reason and the line.

    AutoGraph passes the error through unchanged.
    """

    ag_pass_through = True


def line_in(function: Callable[..., Any], frames: Iterable[Any] | None = None) -> str:
    """Returns the innermost line of a function's file in a stack, for a message.

    Args:
      function: The user's model_fn. A partial or a callable object is allowed.
      frames: Frames of `Operation.traceback` or `traceback.extract_stack`. None for the current
        stack.

    Returns:
      Text such as "model.py, line 12: x = ...". If the function is not running, the line that
      defines it.
    """
    target = inspect.unwrap(getattr(function, "func", function))
    code = getattr(getattr(target, "__func__", target), "__code__", None)
    code = code or getattr(type(target).__call__, "__code__", None)
    if code is None:
        return getattr(target, "__name__", "model_fn")
    path, line = code.co_filename, code.co_firstlineno
    running = False
    for frame in traceback.extract_stack() if frames is None else frames:
        running = running or (frame.filename == path and frame.name == code.co_name)
        if running and frame.filename == path:
            line = frame.lineno
    text = linecache.getline(path, line).strip()
    return f"{path}, line {line}" + (f": {text}" if text else "")
