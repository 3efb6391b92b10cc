"""Settings of glibc's malloc that make training faster. They change no result.

docs/performance.md has the figures, under "Memory allocation". Without glibc nothing happens here.
"""

from __future__ import annotations

import ctypes
import sys

# Constants of mallopt, and the largest value that glibc accepts for the mmap threshold (malloc.h,
# malloc/malloc.c).
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_MXFAST = -1, -3, 1
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
    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    mallopt(_M_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
    mallopt(_M_TRIM_THRESHOLD, _NEVER_TRIM)
    mallopt(_M_MXFAST, 0)
