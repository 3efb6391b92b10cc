"""Reads and writes the files that are rewritten: Python in any encoding, and notebooks.

    file = read("job.py")
    write(file, file.code.replace("tf.log(", "tf.math.log("))

A file is written to a new file in the same folder, which then replaces the old one. So a crash at
any moment leaves either the old or the new file.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import tempfile
import tokenize
from typing import NamedTuple

from migrate.rewrite.engine import notebook_cells


class NotReadable(Exception):
    """Raised if a file cannot be read, or is not the Python or notebook that its name promises."""


class NotWritable(Exception):
    """Raised if a file cannot be written. The file is unchanged."""


class File(NamedTuple):
    """The content of a file.

    Attributes:
      path: Path of the file.
      content: Its bytes.
      text: Its text.
      code: The Python in it. For a notebook, the Python of all cells.
      encoding: Encoding of the text.
    """

    path: str
    content: bytes
    text: str
    code: str
    encoding: str


def read(path: str) -> File:
    """Reads a file.

    Args:
      path: Path of the file.

    Raises:
      NotReadable: It cannot be read, is in an unknown encoding, or is not a notebook.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
        if path.endswith(".ipynb"):
            text = content.decode("utf-8")
            return File(path, content, text, notebook_cells.code_of(text), "utf-8")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
        return File(path, content, text, text, encoding)
    except OSError as error:
        raise NotReadable(f"cannot be read: {error.strerror}") from error
    except notebook_cells.NotANotebook as error:
        raise NotReadable(str(error)) from error
    except (UnicodeDecodeError, SyntaxError) as error:
        raise NotReadable(f"is not Python source: {error}") from error


def with_code(file: File, code: str) -> str:
    """Returns the text of a file with other Python in it.

    Args:
      file: The file.
      code: Python that replaces its `code`.
    """
    return notebook_cells.with_code(file.text, code) if file.path.endswith(".ipynb") else code


def write(file: File, text: str) -> None:
    """Writes new text to a file that was read.

    Args:
      file: The file.
      text: The new text.

    Raises:
      NotWritable: It cannot be written, or another process has changed it since it was read.
    """
    path = os.path.realpath(file.path)
    content = text.encode(file.encoding)
    if file.encoding == "utf-8-sig" and not content.startswith(codecs.BOM_UTF8):
        content = codecs.BOM_UTF8 + content
    try:
        with open(path, "rb") as current:
            # Another process may have changed the file while the rules ran.
            if current.read() != file.content:
                raise NotWritable("another process has changed it in the meantime")
        if not os.access(path, os.W_OK):
            raise NotWritable("is not writable")
        descriptor, temporary_path = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".migrate-")
        try:
            with os.fdopen(descriptor, "wb") as new:
                new.write(content)
                new.flush()
                # The content must be on disk before the new file takes the place of the old one.
                os.fsync(new.fileno())
            # mkstemp makes a file private, so the permissions of the old file are copied.
            shutil.copymode(path, temporary_path)
            os.replace(temporary_path, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary_path)
            raise
    except OSError as error:
        raise NotWritable(f"cannot be written: {error.strerror}") from error
