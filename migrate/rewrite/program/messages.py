"""Groups the messages of a run: one line for each kind, with all its places.

>>> messages = Messages()
>>> for line in (3, 8):
...     messages.add("job.py", line, "unsafe: logging: messages go to absl's log")
>>> messages.lines()
["job.py:3: unsafe: logging: messages go to absl's log [2 times: job.py:3,8]"]
"""

from __future__ import annotations

import os
import re


class Messages:
    """Messages about places in files."""

    def __init__(self) -> None:
        self._places: dict[str, dict[str, list[int]]] = {}

    def add(self, path: str, line: int, text: str) -> None:
        """Adds a message.

        Args:
          path: Path of the file.
          line: Line in the file, from 1.
          text: The message.
        """
        self._places.setdefault(text, {}).setdefault(path, []).append(line)

    def lines(self) -> list[str]:
        """Returns a line for each text. It begins with the first place, as editors expect."""
        return [_line(text, by_path) for text, by_path in self._places.items()]


def with_file_name(reason: str, path: str) -> str:
    """Returns a reason with the name of the file that it is about.

    Args:
      reason: The reason, which may name a line.
      path: Path of the file.
    """
    name = os.path.basename(path)
    text = re.sub(r"( in line [0-9]+)", rf"\1 of {name}", reason, count=1)
    return text if text != reason else f"{reason} ({name})"


def _line(text: str, by_path: dict[str, list[int]]) -> str:
    first = next(iter(by_path))
    head = f"{first}:{by_path[first][0]}: {text}"
    count = sum(map(len, by_path.values()))
    if count == 1:
        return head
    places = (f"{path}:{','.join(map(str, lines))}" for path, lines in by_path.items())
    return f"{head} [{count} times: {' '.join(places)}]"
