r"""Reads files that this project did not write: only real files, and only up to a size.

>>> one_line("two\nlines\x00")
"'two lines\\x00'"
>>> opened("/dev/zero")
Traceback (most recent call last):
...
OSError: it is not a file
"""

from __future__ import annotations

import io
import os
import stat

_CHUNK = 1 << 20


def opened(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Opens a file, but no folder, no device and no pipe, which may have no end.

    Args:
      path: The file.

    Raises:
      OSError: It cannot be opened, or it is not a file.
    """
    try:
        # Without O_NONBLOCK, opening a pipe waits for a writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # The path has a null byte.
        raise FileNotFoundError(2, "there is no such file") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("it is not a file")
    return os.fdopen(descriptor, "rb")


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """Reads a whole file.

    Args:
      path: The file.
      most: Largest number of bytes.

    Raises:
      OSError: It cannot be read, is not a file, or is larger.
    """
    with opened(path) as file:
        return read_all(file, most)


def read_all(stream: io.BufferedIOBase, most: int) -> bytes:
    """Reads a stream to its end, as `read_bytes` does. An unpacked file may be far larger."""
    parts, count = [], 0
    while part := stream.read(_CHUNK):
        parts.append(part)
        count += len(part)
        if count > most:
            raise OSError(f"it has more than {most:,} bytes")
    return b"".join(parts)


def one_line(value: object, longest: int = 200) -> str:
    """Returns a value from a file for a message: printable text of limited length."""
    text = " ".join(str(value).split())
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def printable(text: str, longest: int = 4000) -> str:
    """Returns a message with its lines, of limited length and without control characters."""
    result = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text[:longest])
    return result if len(text) <= longest else result + "..."


def reason(error: Exception) -> str:
    """Returns the message of an error in one line, or its type if it has none."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return one_line(text).rstrip(".") or type(error).__name__
