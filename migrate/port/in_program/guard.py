"""Refuses writes, renames and deletions outside of some folders, in this process.

    guard.begin(["run/work"], "run/record/refused")
    open("/tmp/model/checkpoint", "w")  # PermissionError

Python's own functions are stopped by an audit hook, and those of `tf.io.gfile` by patches. A
TensorFlow operation that writes into an existing folder is not stopped.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

REFUSED = "refused"  # Name of the file that lists the refused paths.
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events of Python, with the positions of the paths that change.
_EVENTS = {
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.rename": (0, 1),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "shutil.rmtree": (0,),
}
# Functions of TensorFlow's file system, with the positions of the paths that change.
_OF_TENSORFLOW = {
    "CreateDir": (0,),
    "RecursivelyCreateDir": (0,),
    "DeleteFile": (0,),
    "DeleteRecursively": (0,),
    "RenameFile": (0, 1),
    "CopyFile": (1,),
    "WritableFile": (0,),
    "WriteStringToFile": (0,),
}
# Devices, and the caches of downloaded data.
_ALWAYS = ("/dev", "/proc", "~/.keras", "~/.cache")
_allowed: list[str] = []
_refusal_files: list[str] = []


def begin(folders: Sequence[str], refusal_file: str) -> None:
    """Starts to refuse changes outside of some folders.

    Args:
      folders: Folders in which everything is allowed.
      refusal_file: File that gets a line for each refused path.
    """
    _refusal_files[:] = [refusal_file]
    _allowed[:] = [os.path.realpath(os.path.expanduser(folder)) for folder in (*folders, *_ALWAYS)]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITES:
                _check(path)
        elif event in _EVENTS:
            for position in _EVENTS[event]:
                _check(arguments[position])

    # An audit hook cannot be removed, so this process refuses until it ends.
    sys.addaudithook(hook)


def patches() -> dict[str, Callable[[types.ModuleType], None]]:
    """Returns the functions that patch TensorFlow's file system, by module."""
    return {"tensorflow.python.lib.io._pywrap_file_io": _patch}


def _patch(module: types.ModuleType) -> None:
    for name, positions in _OF_TENSORFLOW.items():
        if hasattr(module, name):
            setattr(module, name, _with_check(getattr(module, name), positions))


def _with_check(function: Callable[..., Any], positions: Sequence[int]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        for position in positions:
            if position < len(args):
                _check(args[position])
        return function(*args, **kwargs)

    return wrapper


def _check(path: Any) -> None:
    """Raises PermissionError if a path is outside of the allowed folders."""
    if not isinstance(path, (str, bytes, os.PathLike)):  # A file descriptor, or None.
        return
    name = os.fsdecode(path)
    real = name if "://" in name else os.path.realpath(name)
    if name.startswith("ram://") or any(
        real == folder or real.startswith(folder + os.sep) for folder in _allowed
    ):
        return
    for refusal_file in _refusal_files:
        with open(refusal_file, "a") as list_of_refused:
            list_of_refused.write(f"{name}\n")
    raise PermissionError(
        f"migrate port: the program writes to {name}, which is outside of its copy."
    )
