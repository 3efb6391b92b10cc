"""Formats unexpected errors, which must not end the work on other files.

>>> try:
...     1 / 0
... except ZeroDivisionError as error:
...     text = message(error)
>>> text.partition(" (")[0]
'ZeroDivisionError: division by zero'
"""

from __future__ import annotations

import os
import traceback


def message(error: Exception) -> str:
    """Returns an error with the file and line that raised it."""
    return f"{type(error).__name__}: {error} ({place(error)})"


def place(error: Exception) -> str:
    """Returns the file and line that raised an error."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{os.path.basename(frame.filename)}:{frame.lineno}"
