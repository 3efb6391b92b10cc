"""Tests of the settings of malloc, each in a new process."""

import ctypes
import os
import subprocess
import sys

import pytest

from modern.process import malloc
from tests.cluster.trainings import ENV

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc is Linux'")

COMMON = """
import ctypes, resource
from modern.process import malloc
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes, libc.free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
"""

PAGE_FAULTS = """
def use():
    buffer = libc.malloc(8 << 20)
    ctypes.memset(buffer, 1, 8 << 20)
    libc.free(buffer)
use()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(8): use()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""

BYTES_IN_FAST_BINS = """
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]
libc.mallinfo2.restype = Info
before = libc.mallinfo2().fsmblks
chunks = [libc.malloc(48) for _ in range(1000)]
for chunk in chunks: libc.free(chunk)
print(libc.mallinfo2().fsmblks - before)
"""


def number(code, tune):
    """Returns the number that the code prints, after `malloc.tune()` or without it."""
    settings = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=131072"}
    done = subprocess.run(
        [sys.executable, "-c", COMMON + ("malloc.tune()" if tune else "") + code],
        env=os.environ | ENV | settings,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return int(done.stdout)


@linux_only
def test_a_freed_buffer_of_8_mb_is_allocated_again_without_page_faults():
    assert number(PAGE_FAULTS, tune=True) < 1000 < number(PAGE_FAULTS, tune=False)


@linux_only
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="needs glibc 2.33")
def test_small_chunks_are_merged_at_once():
    assert number(BYTES_IN_FAST_BINS, tune=True) <= 0
    assert number(BYTES_IN_FAST_BINS, tune=False) > 900 * 48


def test_elsewhere_it_does_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: pytest.fail("looks for a library"))
    malloc.tune()
