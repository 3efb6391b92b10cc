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

ARENAS = """
import os, re, tempfile, threading
libc.fopen.restype = ctypes.c_void_p
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
libc.fclose.argtypes = [ctypes.c_void_p]
count = os.cpu_count() + 1
started = threading.Barrier(count + 1)
def use():
    libc.malloc(100_000)
    started.wait()
    started.wait()  # A thread that ends returns its arena.
threads = [threading.Thread(target=use) for _ in range(count)]
for thread in threads: thread.start()
started.wait()
path = os.path.join(tempfile.mkdtemp(), "info")
file = libc.fopen(path.encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
started.wait()
print(len(re.findall("<heap nr", open(path).read())))
"""

MB_OF_A_FREED_BUFFER = """
def pages():
    return int(open("/proc/self/statm").read().split()[1])
malloc.tune()
before = pages()
buffers = [libc.malloc(8 << 20) for _ in range(2)]
for buffer in buffers: ctypes.memset(buffer, 1, 8 << 20)
libc.free(buffers[0])
trim()
print((pages() - before) * resource.getpagesize() >> 20)
"""


def number(code, tune=""):
    """Returns the number that the code prints, after the call `tune` or without it."""
    settings = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=131072"}
    done = subprocess.run(
        [sys.executable, "-c", COMMON + tune + code],
        env=os.environ | ENV | settings,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return int(done.stdout)


@linux_only
def test_a_freed_buffer_of_8_mb_is_allocated_again_without_page_faults():
    assert number(PAGE_FAULTS, "malloc.tune()") < 1000 < number(PAGE_FAULTS)


@linux_only
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="needs glibc 2.33")
def test_small_chunks_are_merged_at_once():
    assert number(BYTES_IN_FAST_BINS, "malloc.tune()") <= 0
    assert number(BYTES_IN_FAST_BINS) > 900 * 48


@linux_only
def test_threads_share_one_arena_per_two_processors():
    shared = max(os.cpu_count() // 2, 1)
    assert number(ARENAS, "malloc.share_arenas()") == shared < number(ARENAS)


@linux_only
def test_freed_memory_is_returned():
    assert number(MB_OF_A_FREED_BUFFER, "trim = malloc.trim") < 12
    assert number(MB_OF_A_FREED_BUFFER, "trim = lambda: None") > 12


def test_elsewhere_it_does_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: pytest.fail("looks for a library"))
    malloc.tune()
    malloc.share_arenas()
    malloc.trim()
