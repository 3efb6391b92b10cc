"""Writes the tasks' lines to a stream as they arrive, each after the name of its task.

    echo = Echo(sys.stdout, color=True)
    echo.write(tasks)  # "[worker-0] step 100", and so on.

`modern.launcher.local` calls it several times a second.
"""

from collections.abc import Sequence
from typing import TextIO

from modern.launcher.task import Task

_COLORS = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)  # ANSI foregrounds.


class Echo:
    """Writer of the tasks' new lines.

    Args:
      stream: The stream, or None to write nothing.
      color: Whether the names are coloured.
    """

    def __init__(self, stream: TextIO | None, color: bool) -> None:
        self._stream, self._color = stream, color

    def write(self, tasks: Sequence[Task]) -> None:
        """Writes the lines that were added to the tasks' logs since the last call."""
        if self._stream is None:
            return
        for place, task in enumerate(tasks):
            for line in task.new_lines():
                self._write_line(self._stream, place, task, line)
        self._stream.flush()

    def _write_line(self, stream: TextIO, place: int, task: Task, line: str) -> None:
        prefix = f"[{task.name}]"
        if self._color:
            prefix = f"\033[{_COLORS[place % len(_COLORS)]}m{prefix}\033[0m"
        # A log may have characters that the encoding of the stream lacks, as in the C locale.
        encoding = stream.encoding or "utf-8"
        stream.write(f"{prefix} {line}\n".encode(encoding, "replace").decode(encoding))
