"""Pages of TensorFlow's libraries that only their loading needs.

    library_pages.load_tensorflow()
    import tensorflow as tf
    library_pages.release()

The loading of TensorFlow's C++ library reads 300 MB of its file, to register kernels and to resolve
symbols. Training needs a tenth of that again. The other pages count as memory of each task, until
the system runs out of memory. docs/performance.md has figures, under "Start and memory of a
cluster".
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import mmap
import os
from collections.abc import Iterator, Sequence

# On Linux and on macOS.
_LIBRARIES = ("libtensorflow_cc.so.2", "libtensorflow_cc.2.dylib")
_MAPS = "/proc/self/maps"
# The many small mappings together have a few MB.
_SMALLEST_BYTES = 1 << 20


def path(folders: Sequence[str]) -> str | None:
    """Returns the path of TensorFlow's C++ library, if it has a file of its own.

    Args:
      folders: The folders of the package `tensorflow`.
    """
    paths = [os.path.join(folder, name) for folder in folders for name in _LIBRARIES]
    return next(filter(os.path.exists, paths), None)


def tensorflow_folders() -> list[str]:
    """Returns the folders of the package `tensorflow`, without importing it."""
    spec = importlib.util.find_spec("tensorflow")
    return [*((spec and spec.submodule_search_locations) or [])]


def load_tensorflow() -> None:
    """Loads TensorFlow's C++ library and releases its pages. Call it before the import.

    So the import of the Python package begins without these pages. The peak of memory is 250 MB
    less than with one release after the import.
    """
    if not os.path.exists(_MAPS):
        return
    library = path(tensorflow_folders())
    # The import of the package tells what is wrong with a library that cannot be loaded.
    with contextlib.suppress(OSError):
        if library:
            ctypes.CDLL(library)
            release()


def release() -> None:
    """Unmaps the code of all libraries from memory. What is called again is mapped again.

    The code stays in the system's cache of files, which all tasks of a machine share, so a page
    that is needed again costs a microsecond. Linux alone does this. Elsewhere nothing happens.
    """
    if not os.path.exists(_MAPS):
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for start, end in _code():
        if end - start >= _SMALLEST_BYTES:
            madvise(start, end - start, mmap.MADV_DONTNEED)


def _code() -> Iterator[tuple[int, int]]:
    """Yields the start and the end of each library's code, with the constants in front of it.

    A page that was written to is not in the file, and would be lost. The loader writes to the
    addresses behind the code, which it then makes read-only, too.
    """
    before = (0, 0, "")
    with open(_MAPS) as maps:
        for line in maps:
            addresses, access, _, _, _, *name = line.split(maxsplit=5)
            start, end = (int(address, 16) for address in addresses.split("-"))
            file = name[0].strip() if name else ""
            if access == "r-xp" and ".so" in os.path.basename(file):
                yield (before[0] if before[1:] == (start, file) else start), end
            before = (start, end, file) if access == "r--p" else (0, 0, "")
