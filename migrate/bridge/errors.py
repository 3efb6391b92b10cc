"""What cannot be bridged is refused, with the line of the model_fn that stands in the way."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from modern.process import cli


class BridgeError(cli.UsageError):
    """A model_fn, or what is asked of it, cannot be bridged; the message says what and where.

    AutoGraph lets it pass through as it is.
    """

    ag_pass_through = True


def line_in(function: Callable[..., Any], frames: Iterable[Any] | None = None) -> str:
    """Returns the innermost line in a function's file while it runs, for a message.

    Args:
      function: The user's model_fn; a partial or callable object too.
      frames: Of `Operation.traceback` or `traceback.extract_stack`; None for the present stack.

    Returns:
      "model.py, line 12: x = ..."; where the function is not running, the line that defines it.
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
