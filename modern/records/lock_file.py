"""A small file that processes replace only if its content is the expected one.

>>> import os, tempfile
>>> file = of(os.path.join(tempfile.mkdtemp(), "run.lock"))
>>> file.swap(None, "first"), file.swap(None, "second"), file.read()
(True, False, 'first')
>>> file.remove("first")
>>> file.read() is None
True

On a local disk, `flock` makes each change atomic, also between the hosts of an NFS folder whose
server has locks. `tf.io.gfile` has neither locks nor an exclusive creation. There, the last of
several writers wins, and `claim` reads the file again after a while to learn who that is.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from typing import Any, Protocol

from modern.process import files

# Time for other writers that read the file before this process wrote it.
SETTLE_S = 2.0
_LARGEST = 1 << 16
# Errors of file systems without `flock`.
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


class LockFile(Protocol):
    """A file that is replaced as a whole. All methods raise OSError if the file system fails."""

    path: str

    def make_folder(self) -> bool:
        """Creates the folder of the file. Returns true if it did not exist."""

    def remove_empty_folder(self) -> None:
        """Removes the folder of the file if it is empty."""

    def read(self) -> str | None:
        """Returns the content, or None if the file does not exist or is empty."""

    def swap(self, old: str | None, new: str) -> bool:
        """Replaces the content if it is `old`. Returns false if it is not."""

    def claim(self, old: str | None, new: str) -> bool:
        """Does the same as `swap`. Returns false, too, if another writer wins a race."""

    def remove(self, old: str) -> None:
        """Removes the file if its content is `old`."""


def of(path: str) -> LockFile:
    """Returns the file of a path, which may be a URL such as gs://bucket/model/run.lock."""
    path = files.absolute(path)
    return _RemoteFile(path) if files.is_remote(path) else _LocalFile(path)


class _LocalFile:
    def __init__(self, path: str) -> None:
        self.path = path

    def make_folder(self) -> bool:
        folder = os.path.dirname(self.path)
        if os.path.isdir(folder):
            return False
        os.makedirs(folder, exist_ok=True)
        return True

    def remove_empty_folder(self) -> None:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(self.path))

    def read(self) -> str | None:
        try:
            handle = os.open(self.path, os.O_RDONLY)
        except FileNotFoundError:
            return None
        with _closing(handle):
            _lock(handle, fcntl.LOCK_SH)
            return _content(handle)

    def swap(self, old: str | None, new: str) -> bool:
        with self._exclusive(os.O_RDWR | os.O_CREAT) as handle:
            if _content(handle) != old:
                return False
            content = new.encode()
            os.pwrite(handle, content, 0)
            os.ftruncate(handle, len(content))
            return True

    def claim(self, old: str | None, new: str) -> bool:
        return self.swap(old, new)

    def remove(self, old: str) -> None:
        with contextlib.suppress(FileNotFoundError), self._exclusive(os.O_RDWR) as handle:
            if _content(handle) == old:
                os.unlink(self.path)

    @contextlib.contextmanager
    def _exclusive(self, flags: int) -> Iterator[int]:
        """Opens and locks the file that has this path while the block runs."""
        while True:
            with _closing(os.open(self.path, flags, 0o666)) as handle:
                _lock(handle, fcntl.LOCK_EX)
                # Another process may have removed the file before this one got the lock.
                if _is_at(handle, self.path):
                    yield handle
                    return


@contextlib.contextmanager
def _closing(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        # A forked process may have a copy of the handle, which would keep the lock.
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


def _lock(handle: int, kind: int) -> None:
    try:
        fcntl.flock(handle, kind)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise


def _content(handle: int) -> str | None:
    return os.pread(handle, _LARGEST, 0).decode(errors="replace") or None


def _is_at(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


class _RemoteFile:
    def __init__(self, path: str) -> None:
        import tensorflow as tf  # Slow, and only needed here.

        self.path = path
        self._gfile: Any = tf.io.gfile

    def make_folder(self) -> bool:
        folder = os.path.dirname(self.path)
        with files.as_os_errors():
            if self._gfile.isdir(folder):
                return False
            self._gfile.makedirs(folder)
        return True

    def remove_empty_folder(self) -> None:
        folder = os.path.dirname(self.path)
        with contextlib.suppress(OSError), files.as_os_errors():
            if not self._gfile.listdir(folder):
                self._gfile.rmtree(folder)

    def read(self) -> str | None:
        try:
            with files.as_os_errors(), self._gfile.GFile(self.path, "rb") as file:
                # Without a size, GFile asks for the size first, which may be an old one.
                return file.read(_LARGEST).decode(errors="replace") or None
        except FileNotFoundError:
            return None

    def swap(self, old: str | None, new: str) -> bool:
        if self.read() != old:
            return False
        # Not in place: ram:// appends to an existing file.
        files.replace_remote(self.path, new.encode())
        return True

    def claim(self, old: str | None, new: str) -> bool:
        if not self.swap(old, new):
            return False
        time.sleep(SETTLE_S)
        return self.read() == new

    def remove(self, old: str) -> None:
        with contextlib.suppress(FileNotFoundError), files.as_os_errors():
            if self.read() == old:
                self._gfile.remove(self.path)
