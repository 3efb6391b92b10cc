"""What cannot be bridged is refused, with the line of the model_fn that stands in the way."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from modern import cli


class BridgeError(cli.UsageError):
    """A model_fn, or what is asked of it, cannot be bridged; the message says what and where.

    AutoGraph lets it pass through as it is.
    """

    ag_pass_through = True


def line_in(function: Callable[..., Any], frames: Iterable[Any] | None = None) -> str:
    """Returns the innermost line of a function's file in a stack, for a message.

    Args:
      function: The user's model_fn; a partial or callable object too.
      frames: Of `Operation.traceback` or `traceback.extract_stack`; None for the present stack.

    Returns:
      "model.py, line 12: x = ..."; "model_fn" where no frame is of that file.
    """
    target = getattr(function, "func", function)
    try:
        path = inspect.getsourcefile(inspect.unwrap(target))
    except TypeError:
        path = inspect.getsourcefile(type(target))
    found = None
    for frame in traceback.extract_stack() if frames is None else frames:
        if frame.filename == path:
            found = frame
    if found is None:
        return getattr(target, "__name__", "model_fn")
    line = linecache.getline(found.filename, found.lineno).strip()
    return f"{found.filename}, line {found.lineno}" + (f": {line}" if line else "")
