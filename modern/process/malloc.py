"""Settings of glibc's malloc that make training faster or smaller. They change no result.

docs/performance.md has the figures, under "Memory allocation". Without glibc nothing happens here.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys

# Constants of mallopt, and the largest value that glibc accepts for the mmap threshold (malloc.h,
# malloc/malloc.c).
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX, _M_MXFAST = -1, -3, -8, 1
_LARGEST_MMAP_THRESHOLD = 32 << 20
_NEVER_TRIM = 2**31 - 1


def tune() -> None:
    """Makes glibc keep freed buffers of up to 32 MB, and merge small ones at once.

    Gradients and messages of several MB are allocated in each step. If they were returned to the
    system each time, they would cost a page fault and the clearing of the page for every 4 KB.

    An input pipeline that makes single examples frees thousands of small tensors per batch. glibc
    keeps them apart in "fast bins", until a large buffer is freed. Then it merges all of them, and
    the next batch splits the memory again. This took a quarter of all processor time of a training
    with 26 columns.

    TensorFlow sets its own threshold when it creates the kind of dataset iterator that strategies
    use, so call this function again after that.
    """
    _set(_M_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
    _set(_M_TRIM_THRESHOLD, _NEVER_TRIM)
    _set(_M_MXFAST, 0)


def share_arenas() -> None:
    """Lets threads share one arena per two processors. Call it before TensorFlow starts threads.

    By default glibc has up to eight arenas per processor, each with freed buffers of its own.
    docs/performance.md has figures, under "Start and memory of a cluster".
    """
    _set(_M_ARENA_MAX, max((os.cpu_count() or 1) // 2, 1))


def trim() -> None:
    """Returns freed memory to the system, which `tune` lets glibc keep.

    Call it after something large that does not come again, such as a model that is gone.
    """
    _call("malloc_trim", 0)


def _set(parameter: int, value: int) -> None:
    _call("mallopt", parameter, value)


def _call(function: str, *arguments: int) -> None:
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(AttributeError, OSError):  # Another C library.
        ctypes.CDLL(None)[function](*arguments)
