"""Shows the progress of a port: a line for each step, and the current step on a terminal.

progress = Progress()
with progress.during("legacy"):
    run()
progress.say("legacy: same (12 s)")
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

_CLEAR = "\r\x1b[K"


class Progress:
    """Printer of lines. On a terminal, the last line shows the running step and its seconds."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()

    def say(self, line: str) -> None:
        """Prints a line.

        Args:
          line: The line.
        """
        print((_CLEAR if self._is_terminal else "") + line, flush=True)

    @contextlib.contextmanager
    def during(self, step: str) -> Iterator[None]:
        """Shows a step while it runs.

        Args:
          step: Name of the step.
        """
        if not self._is_terminal:
            yield
            return
        start, ended = time.monotonic(), threading.Event()

        def show() -> None:
            while not ended.wait(1.0):
                seconds = time.monotonic() - start
                sys.stdout.write(f"{_CLEAR}{step} ... {seconds:.0f} s")
                sys.stdout.flush()

        thread = threading.Thread(target=show, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            sys.stdout.write(_CLEAR)
            sys.stdout.flush()
