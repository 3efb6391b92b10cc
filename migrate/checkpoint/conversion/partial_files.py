"""A place beside the target where a conversion writes, and the move into place when it is whole.

    with partial.Partial("out/model.ckpt-100") as place:
        write(os.path.join(place.folder, "part"))
        place.commit([(os.path.join(place.folder, "part"), "out/model.ckpt-100")])

A process that is killed leaves the folder OUTPUT.partial-PID and nothing else; the next conversion
to the same output removes it. A folder in use is told by the lock that its process holds.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import re
import shutil
from collections.abc import Sequence
from typing import IO

from modern.process import cli

_LOCK = "lock"


class Partial:
    """A folder for an output that is not whole yet; removed when the block ends.

    Args:
      output: the path of what is made.
    """

    def __init__(self, output: str) -> None:
        self._output = os.path.abspath(output)
        self.folder = f"{self._output}.partial-{os.getpid()}"
        self._lock: IO[str] | None = None
        self._made: list[str] = []

    def __enter__(self) -> Partial:
        try:
            self._make_parents(os.path.dirname(self._output))
            for left in glob.glob(glob.escape(self._output) + ".partial-*"):
                _remove_if_left(left)
            os.mkdir(self.folder)
            self._lock = _locked(self.folder)
        except OSError as error:
            raise cli.UsageError(
                f"{error.filename or self.folder}: cannot be written ({error.strerror})."
            ) from error
        return self

    def __exit__(self, *unused: object) -> None:
        if self._lock:
            self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # not empty: the output is in it
            for folder in reversed(self._made):
                os.rmdir(folder)

    def _make_parents(self, folder: str) -> None:
        if not os.path.isdir(folder):
            self._make_parents(os.path.dirname(folder))
            os.mkdir(folder)
            self._made.append(folder)

    def commit(self, moves: Sequence[tuple[str, str]], old: Sequence[str] = ()) -> None:
        """Puts files or folders in place, in this order: the one that makes the rest count is last.

        Args:
          moves: (path within the folder, path of the target).
          old: what is replaced, in the order in which it goes; the first is that which makes
            the rest count.
        """
        for number, path in enumerate(old):
            if os.path.exists(path):
                os.rename(path, os.path.join(self.folder, f"replaced-{number}"))
        for source, target in moves:
            os.rename(source, target)


def reason(error: Exception) -> str:
    """What an error of the system or of TensorFlow says, without the graph that it says it of."""
    return re.sub(r"\{\{.*?\}\} *| *\[Op:\w+\]", "", str(error).splitlines()[0])


def _remove_if_left(folder: str) -> None:
    """Removes the folder of a process that is gone."""
    with contextlib.suppress(OSError):
        lock = _locked(folder)
        shutil.rmtree(folder)
        lock.close()


def _locked(folder: str) -> IO[str]:
    file = open(os.path.join(folder, _LOCK), "a", encoding="utf-8")  # noqa: SIM115 - held on
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise
    return file
