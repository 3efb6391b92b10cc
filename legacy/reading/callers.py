"""Tells whose code looks up a TensorFlow name: the old program's, or a library's.

>>> in_program(None)  # No frame.
False

- Library: files in site-packages, and this toolkit.
- Standard library: its caller decides. The same holds for AutoGraph, which calls `getattr(tf,
  name)` for a dataset's function.
- Code that replaces names in tests always acts for the program, whoever called it. For example, the
  decorator `unittest.mock.patch("tensorflow.Session")` runs when a test runner, a library, calls
  the test.
- Program: everything else, such as its file, the modules in its folder and on PYTHONPATH,
  notebooks.
"""

from __future__ import annotations

import functools
import os
import sysconfig
import types
from collections.abc import Mapping

_PROGRAM, _LIBRARY, _STANDARD = "program", "library", "standard"

# Libraries in any folder. Even when run from a source tree, they need the real TensorFlow.
_LIBRARY_PACKAGES = frozenset(
    ("absl", "keras", "numpy", "tensorboard", "tensorflow", "tensorflow_estimator", "tf_keras")
)

_REPLACES_NAMES = frozenset(("unittest.mock", "mock.mock", "_pytest.monkeypatch"))

_CALLS_FOR_PROGRAMS = "tensorflow.python.autograph.impl.api"

# Folders of installed packages.
_LIBRARY_FOLDERS = ("site-packages", "dist-packages")

# Packages of this toolkit.
TOOLKIT = ("benchmarks", "legacy", "migrate", "modern")
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _known_folders() -> dict[str, str]:
    folders = {os.path.join(_ROOT, name): _LIBRARY for name in TOOLKIT}
    for name in ("stdlib", "platstdlib"):
        path = sysconfig.get_path(name)
        folders[path] = folders[os.path.realpath(path)] = _STANDARD
    return folders


_folders = _known_folders()
_kinds: dict[str, str] = {}


def add_program_folder(folder: str) -> None:
    """Makes the files of a folder count as the program, even among the folders of libraries.

    Args:
      folder: The folder of the program's file, or of the package that `-m` names. May also be a
        single file.
    """
    # setdefault: in the toolkit's own folder, the parts of the toolkit remain libraries.
    _folders.setdefault(os.path.abspath(folder), _PROGRAM)
    # Cached kinds of files may have changed.
    _kinds.clear()


def in_program(frame: types.FrameType | None) -> bool:
    """Returns whether a frame runs the program's code.

    Args:
      frame: The frame that looks up a name.

    Returns:
      True if the frame belongs to the program. For a frame of the standard library, its caller
      decides.
    """
    while frame is not None:
        names = frame.f_globals
        file = names.get("__file__") or frame.f_code.co_filename
        kind = _kinds.get(file)
        if kind is None:
            kind = _kinds[file] = _kind_of(file, names.get("__name__") or "", _folders)
        if kind is not _STANDARD:
            return kind is _PROGRAM
        frame = frame.f_back
    return False


def is_of_program(file: str, folder: str) -> bool:
    """Returns whether a file that is not imported yet will count as the program's.

    Args:
      file: The file.
      folder: Folder of the program, as for `add_program_folder`.
    """
    folders = {os.path.abspath(folder): _PROGRAM} | _folders
    return _kind_of(file, "", folders) is _PROGRAM


def holds_libraries(folder: str) -> bool:
    """Returns whether a folder of `sys.path` holds installed packages, or Python's own modules.

    Args:
      folder: The folder.
    """
    folder = os.path.abspath(folder)
    return os.path.basename(folder) in _LIBRARY_FOLDERS or _folders.get(folder) is _STANDARD


def own_part(file: str, folder: str) -> str:
    """Returns the folder or file that counts as the program's if a module is run.

    Args:
      file: File of the module.
      folder: Folder of `sys.path` that has the module.

    Returns:
      The folder. In a folder of libraries, the part of it that belongs to the module's package. ""
      for a module of Python, and for a library that always sees the real TensorFlow.
    """
    if not holds_libraries(folder):
        return folder
    name = os.path.relpath(file, folder).split(os.sep)[0]
    if _folders.get(os.path.abspath(folder)) is _STANDARD or name in _LIBRARY_PACKAGES:
        return ""
    return os.path.join(folder, name)


def may_have_programs(folder: str) -> bool:
    """Returns whether modules in a folder of `sys.path` may belong to a program.

    Args:
      folder: The folder.
    """
    return _kind_of(os.path.join(folder, "any.py"), "", _folders) is _PROGRAM


def _kind_of(file: str, module: str, folders: Mapping[str, str]) -> str:
    if module in _REPLACES_NAMES:
        return _PROGRAM
    if file.startswith("<frozen ") or module == _CALLS_FOR_PROGRAMS:
        return _STANDARD
    if file.startswith("<"):
        return _PROGRAM  # Typed in, or run by exec.
    path = os.path.abspath(file)
    # The innermost folder that contains the file decides.
    length, kind = -1, _PROGRAM
    for folder, folder_kind in folders.items():
        if len(folder) > length and (path == folder or path.startswith(folder + os.sep)):
            length, kind = len(folder), folder_kind
    copy = _toolkit_package(path)
    if copy and len(copy) > length:
        length, kind = len(copy), _LIBRARY
    for part in _LIBRARY_FOLDERS:
        index = path.rfind(os.sep + part + os.sep)
        if index >= 0 and (index >= length or kind is _STANDARD):
            length, kind = index, _LIBRARY
    if length < 0 and module.partition(".")[0] in _LIBRARY_PACKAGES:
        return _LIBRARY
    return kind


def _toolkit_package(path: str) -> str:
    """Returns the package of this toolkit that holds a file, or "".

    It may belong to another copy, such as a clone next to an installed toolkit.
    """
    parts = path.split(os.sep)
    for end in range(len(parts) - 1, 1, -1):
        if parts[end - 1] in TOOLKIT and _is_toolkit(os.sep.join(parts[: end - 1])):
            return os.sep.join(parts[:end])
    return ""


@functools.cache
def _is_toolkit(folder: str) -> bool:
    """Returns whether a folder holds the packages of this toolkit."""
    return os.path.isfile(os.path.join(folder, "legacy", "reading", "callers.py"))
