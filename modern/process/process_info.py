"""Memory and start time of this process.

>>> peak_rss_mb() > 1
True
>>> start_time() <= time.time()
True
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import resource
import sys
import time


def peak_rss_mb() -> float:
    """Returns the peak resident memory of this process so far, in MB (10**6 bytes)."""
    # On Linux, the figure of getrusage is never less than the memory of the parent process.
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def free_memory(root: str = "/") -> int | None:
    """Returns the bytes that this process can still allocate, or None where Linux does not tell.

    Args:
      root: The folder with proc/ and sys/.
    """
    found = []
    with contextlib.suppress(OSError):
        for line in pathlib.Path(root, "proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) * 1024)
    # A container has a limit of its own. Without a limit, the file has the word "max".
    with contextlib.suppress(OSError, ValueError):
        group = pathlib.Path(root, "sys/fs/cgroup")
        limit, used = (int((group / f"memory.{n}").read_text()) for n in ("max", "current"))
        found.append(limit - used)
    return max(min(found), 0) if found else None


def start_time() -> float:
    """Returns the time at which this process started, in unix seconds.

    Without /proc, it is the time at which this module was imported.
    """
    try:
        # Field 22 is the start in clock ticks since boot. Field 2, in brackets, may have spaces.
        ticks = int(pathlib.Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    except OSError:
        return _IMPORTED_AT
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    return time.time() - age


_IMPORTED_AT = time.time()
