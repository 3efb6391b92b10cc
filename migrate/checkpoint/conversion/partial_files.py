"""Folder next to the target for an incomplete conversion, and the move into place at the end.

    with partial_files.Partial("out/model.ckpt-100") as place:
        write(os.path.join(place.folder, "part"))
        place.commit([(os.path.join(place.folder, "part"), "out/model.ckpt-100")])

A killed process leaves only the folder OUTPUT.partial-PID. The next conversion to the same output
removes it. A process holds a lock on its folder, which shows that the folder is in use.

For a remote output, the folder is a temporary one on the local disk. Its files are uploaded at the
end, and read back.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from typing import IO

from modern.process import cli, files

_LOCK = "lock"


class Partial:
    """Folder for an incomplete output, removed at the end of the block.

    Args:
      output: Path of the output.
    """

    def __init__(self, output: str) -> None:
        self._is_remote = files.is_remote(output)
        self._output = files.absolute(output)
        self.folder = f"{self._output}.partial-{os.getpid()}"
        self._lock: IO[str] | None = None
        self._created_folders: list[str] = []

    def __enter__(self) -> Partial:
        if self._is_remote:
            self.folder = tempfile.mkdtemp(prefix="checkpoint-")
            return self
        try:
            self._make_parents(os.path.dirname(self._output))
            for folder in glob.glob(glob.escape(self._output) + ".partial-*"):
                _remove_if_abandoned(folder)
            os.mkdir(self.folder)
            self._lock = _lock_folder(self.folder)
        except OSError as error:
            raise cli.UsageError(
                f"{error.filename or self.folder}: cannot be written ({error.strerror})."
            ) from error
        return self

    def __exit__(self, *unused: object) -> None:
        if self._lock:
            self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # A folder with the output in it is not empty.
            for folder in reversed(self._created_folders):
                os.rmdir(folder)

    def _make_parents(self, folder: str) -> None:
        if not os.path.isdir(folder):
            self._make_parents(os.path.dirname(folder))
            os.mkdir(folder)
            self._created_folders.append(folder)

    def commit(
        self, moves: Sequence[tuple[str, str]], old: Sequence[str] = (), last: str = ""
    ) -> None:
        """Moves files or folders into place.

        A reader detects the output by one file, such as the index. It must be the last to appear
        and the first to disappear.

        Args:
          moves: Pairs of (path within the folder, path of the target), in the order of the moves.
          old: Paths that are replaced, in the order of their removal.
          last: The name of such a file in a moved folder.

        Raises:
          OSError: A file cannot be written, or an uploaded file differs when it is read back.
        """
        if self._is_remote:
            for path in old:
                files.remove_tree(path) if files.is_folder(path) else files.remove(path)
            for source, target in moves:
                _upload(source, target, last)
            return
        for number, path in enumerate(old):
            if os.path.exists(path):
                os.rename(path, os.path.join(self.folder, f"replaced-{number}"))
        for source, target in moves:
            os.rename(source, target)


def _upload(source: str, target: str, last: str) -> None:
    """Copies a file or folder to a remote path, and compares the copy."""
    if not os.path.isdir(source):
        files.make_folder(os.path.dirname(target))
        files.copy(source, target)
        if _digest(source) != _digest(target):
            raise OSError(f"{target} differs when it is read back")
        return
    for name in sorted(os.listdir(source), key=lambda name: name == last):
        _upload(os.path.join(source, name), os.path.join(target, name), "")


def _digest(path: str) -> bytes:
    digest = hashlib.sha256()
    for chunk in files.chunks(path):
        digest.update(chunk)
    return digest.digest()


def reason(error: Exception) -> str:
    """Returns the reason of a system or TensorFlow error, without the part on the graph."""
    return re.sub(r"\{\{.*?\}\} *| *\[Op:\w+\]", "", str(error).splitlines()[0])


def _remove_if_abandoned(folder: str) -> None:
    """Removes the folder of a process that no longer exists."""
    with contextlib.suppress(OSError):
        lock = _lock_folder(folder)
        shutil.rmtree(folder)
        lock.close()


def _lock_folder(folder: str) -> IO[str]:
    file = open(os.path.join(folder, _LOCK), "a", encoding="utf-8")  # noqa: SIM115 - held on
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise
    return file
