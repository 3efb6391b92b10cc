"""Atomic writes: a file is whole at any moment.

>>> import pathlib, tempfile
>>> path = pathlib.Path(tempfile.mkdtemp(), "made", "report.txt")
>>> write_text(path, "all of it")
>>> path.read_text()
'all of it'
"""

from __future__ import annotations

import os
import pathlib
import tempfile


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file so that readers see the old content or the new, never a part.

    Args:
      path: The file. Its folder is created.
      text: The new content.

    Raises:
      OSError: The file cannot be written. The old content stays.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Writes a file of bytes, as `write_text` does."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, because a rename is atomic only within a file system.
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            os.fchmod(handle, 0o644)  # mkstemp makes it private.
            file.write(content)
        os.replace(draft, path)
    except BaseException:
        pathlib.Path(draft).unlink(missing_ok=True)
        raise
