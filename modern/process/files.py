"""Files on local disks and in remote folders, written whole or not at all.

>>> import os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "made", "report.txt")
>>> write_text(path, "all of it")
>>> read_text(path)
'all of it'

A remote folder has a URL, such as gs://bucket/model. It is read and written with `tf.io.gfile`, and
TensorFlow is imported only for such paths. `os.path.join` and `os.path.dirname` work on URLs, but
`os.path.abspath` and `pathlib` do not. Use `absolute` instead.

Many remote file systems are object stores. An object appears as a whole, and a renamed object
replaces another one as a whole. But a folder exists only through the objects whose names begin with
its own, so it has no atomic rename. `move_folder` moves one file of a folder last, and readers
recognize a whole folder by this file.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import tempfile
import uuid
from collections.abc import Collection, Iterator
from typing import Any

from modern.process import cli, quiet_import

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_LOCAL_URL = "file://"
_CHUNK = 1 << 20


def is_remote(path: str | os.PathLike[str]) -> bool:
    """Returns whether a path is a URL, such as gs://bucket/model, which only TensorFlow reads."""
    return _URL.match(os.fspath(path)) is not None


def absolute(path: str | os.PathLike[str]) -> str:
    """Returns the absolute path of a local file or folder, with ~ expanded.

    A remote URL only loses slashes at its end. A file:// URL becomes a local path.
    """
    path = os.fspath(path).removeprefix(_LOCAL_URL)
    return path.rstrip("/") if is_remote(path) else os.path.abspath(os.path.expanduser(path))


def check_scheme(path: str | os.PathLike[str]) -> None:
    """Checks that TensorFlow has a file system for a path.

    Raises:
      cli.UsageError: It has none. The message tells how to add one.
    """
    if not is_remote(path):
        return
    quiet_import.import_tensorflow(coordinates=True)
    import tensorflow as tf

    scheme = os.fspath(path).partition("://")[0]
    if scheme in tf.io.gfile.get_registered_schemes():
        return
    raise cli.UsageError(
        f"{os.fspath(path)} cannot be read or written: this TensorFlow has no file system for "
        f"{scheme}://. Use gs://, or mount the folder and give its local path, or load a plugin in "
        "every task (tf.experimental.register_filesystem_plugin)."
    )


def check_local(path: str | os.PathLike[str], option: str, reason: str) -> None:
    """Checks that a path is on a local disk.

    Args:
      path: The path.
      option: The option that gives it, for the message.
      reason: The reason why it must be local, for the message.

    Raises:
      cli.UsageError: It is remote.
    """
    if is_remote(path):
        raise cli.UsageError(
            f"{option}={os.fspath(path)} is in a remote folder, and {reason}: name a local path."
        )


def exists(path: str | os.PathLike[str]) -> bool:
    """Returns whether a file or folder exists."""
    return _gfile().exists(os.fspath(path)) if is_remote(path) else os.path.exists(path)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Returns whether a folder exists. A remote folder exists if a file is in it."""
    return _gfile().isdir(os.fspath(path)) if is_remote(path) else os.path.isdir(path)


def is_file(path: str | os.PathLike[str]) -> bool:
    """Returns whether a file exists."""
    if is_remote(path):
        return exists(path) and not is_folder(path)
    return os.path.isfile(path)


def size(path: str | os.PathLike[str]) -> int:
    """Returns the size of a file in bytes.

    Raises:
      OSError: It cannot be read. A missing file is a FileNotFoundError.
    """
    if not is_remote(path):
        return os.path.getsize(path)
    with as_os_errors():
        return _gfile().stat(os.fspath(path)).length


def list_folder(path: str | os.PathLike[str]) -> list[str]:
    """Returns the names of the files and folders in a folder, sorted. Empty without the folder."""
    if not is_remote(path):
        return sorted(os.listdir(path)) if os.path.isdir(path) else []
    gfile = _gfile()
    names = gfile.listdir(os.fspath(path)) if gfile.isdir(os.fspath(path)) else []
    # Object stores mark folders with a slash, and may list the folder itself.
    return sorted({name.rstrip("/") for name in names} - {""})


def make_folder(path: str | os.PathLike[str]) -> None:
    """Creates a folder and its parents, unless they exist."""
    if is_remote(path):
        _gfile().makedirs(os.fspath(path))
    else:
        os.makedirs(path, exist_ok=True)


def remove(path: str | os.PathLike[str]) -> None:
    """Removes a file, unless it does not exist."""
    if not is_remote(path):
        pathlib.Path(path).unlink(missing_ok=True)
        return
    with contextlib.suppress(FileNotFoundError), as_os_errors():
        _gfile().remove(os.fspath(path))


def remove_tree(path: str | os.PathLike[str]) -> None:
    """Removes a folder with everything in it, as far as possible."""
    if not is_remote(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    with contextlib.suppress(OSError), as_os_errors():
        if _gfile().isdir(os.fspath(path)):
            _gfile().rmtree(os.fspath(path))


def read_text(path: str | os.PathLike[str]) -> str:
    """Returns the content of a UTF-8 file.

    Raises:
      OSError: It cannot be read. A missing file is a FileNotFoundError.
    """
    return read_bytes(path).decode("utf-8")


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Returns the content of a file, as `read_text` does."""
    return b"".join(chunks(path))


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """Yields the content of a file in parts, as `read_text` reads it."""
    if not is_remote(path):
        with open(path, "rb") as local:
            yield from iter(lambda: local.read(_CHUNK), b"")
        return
    with as_os_errors(), _gfile().GFile(os.fspath(path), "rb") as file:
        # Without a size, GFile first asks for the size of the file. Object stores may answer from
        # a cache of some seconds, and a file that has grown would then be cut off.
        yield from iter(lambda: file.read(_CHUNK), b"")


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
    if is_remote(path):
        _write_remote(os.fspath(path), content)
        return
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


def _write_remote(path: str, content: bytes) -> None:
    with as_os_errors():
        _gfile().makedirs(os.path.dirname(path))
    replace_remote(path, content)


def replace_remote(path: str, content: bytes) -> None:
    """Writes a remote file in a folder that exists, by the rename of a draft.

    Args:
      path: URL of the file.
      content: The new content.

    Raises:
      OSError: The file cannot be written. The old content stays.
    """
    folder, name = os.path.split(path)
    # Several processes may write the same file, so each has its own draft.
    draft = os.path.join(folder, f".{name}.{uuid.uuid4().hex}")
    try:
        with as_os_errors():
            with _gfile().GFile(draft, "wb") as file:
                file.write(content)
            _gfile().rename(draft, path, overwrite=True)
    except BaseException:
        with contextlib.suppress(OSError):
            remove(draft)
        raise


def copy(source: str, target: str) -> None:
    """Copies a file. Either path may be remote.

    Raises:
      OSError: It cannot be read or written.
    """
    if not is_remote(source) and not is_remote(target):
        shutil.copyfile(source, target)
        return
    with as_os_errors():
        _gfile().copy(source, target, overwrite=True)


def copy_tree(source: str, target: str, left_out: Collection[str] = ()) -> None:
    """Copies a folder. Either path may be remote.

    Args:
      source: The folder.
      target: The path of the copy.
      left_out: Names of files and folders that are not copied.

    Raises:
      OSError: It cannot be read or written.
    """
    make_folder(target)
    for name in list_folder(source):
        path, copy_path = os.path.join(source, name), os.path.join(target, name)
        if name in left_out:
            continue
        if is_folder(path):
            copy_tree(path, copy_path, left_out)
        else:
            copy(path, copy_path)


def move_folder(source: str, target: str, last: str) -> None:
    """Moves a folder to a path that does not exist yet.

    On a local disk all files appear at once. In a remote folder they appear one after the other.

    Args:
      source: The folder.
      target: Its new path.
      last: The name of the file in it that readers look for. In a remote folder it appears last.

    Raises:
      OSError: The folder cannot be moved.
    """
    if not is_remote(target):
        os.rename(source, target)
        return
    gfile = _gfile()
    with as_os_errors():
        if gfile.exists(os.path.join(target, last)):
            raise FileExistsError(f"{target} exists.")
        paths = [
            os.path.join(folder, name) for folder, _, names in gfile.walk(source) for name in names
        ]
        for path in sorted(paths, key=lambda path: path == os.path.join(source, last)):
            new_path = target + path.removeprefix(source)
            gfile.makedirs(os.path.dirname(new_path))
            gfile.rename(path, new_path, overwrite=True)


def _gfile() -> Any:
    import tensorflow as tf

    return tf.io.gfile


@contextlib.contextmanager
def as_os_errors() -> Iterator[None]:
    """Raises errors of TensorFlow's file systems in the block as OSError."""
    import tensorflow as tf

    try:
        yield
    except tf.errors.NotFoundError as error:
        raise FileNotFoundError(error.message) from error
    except tf.errors.OpError as error:
        raise OSError(error.message) from error
