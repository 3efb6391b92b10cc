"""Reads and writes the files that are rewritten: Python in any encoding, and notebooks.

    file = read("job.py")
    write(file, file.code.replace("tf.log(", "tf.math.log("))

A file is written whole: to a new one in its folder, which then takes its place. So at any moment,
also after a crash, it is either the old or the new one.
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
    """A file cannot be read, or is not what its name says; the message says why."""


class NotWritable(Exception):
    """A file cannot be written; it is as it was."""


class File(NamedTuple):
    """A file that was read.

    Attributes:
      path: Where it is.
      content: Its bytes.
      text: Its text.
      code: The Python in it; for a notebook, that of all its cells.
      encoding: That of the text.
    """

    path: str
    content: bytes
    text: str
    code: str
    encoding: str


def read(path: str) -> File:
    """Reads a file.

    Args:
      path: The file.

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
      code: What is to stand for its `code`.
    """
    return notebook_cells.with_code(file.text, code) if file.path.endswith(".ipynb") else code


def write(file: File, text: str) -> None:
    """Writes a file that was read.

    Args:
      file: The file.
      text: Its new text.

    Raises:
      NotWritable: It cannot be written, or somebody else has changed it since it was read.
    """
    path = os.path.realpath(file.path)
    content = text.encode(file.encoding)
    if file.encoding == "utf-8-sig" and not content.startswith(codecs.BOM_UTF8):
        content = codecs.BOM_UTF8 + content
    try:
        with open(path, "rb") as current:
            if current.read() != file.content:
                raise NotWritable("somebody else has changed it meanwhile")
        if not os.access(path, os.W_OK):
            raise NotWritable("is not writable")
        descriptor, beside = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".migrate-")
        try:
            with os.fdopen(descriptor, "wb") as new:
                new.write(content)
                new.flush()
                os.fsync(new.fileno())
            shutil.copymode(path, beside)
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as error:
        raise NotWritable(f"cannot be written: {error.strerror}") from error
