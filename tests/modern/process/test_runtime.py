"""Tests of process-wide settings, each in a new process."""

import os
import subprocess
import sys

import pytest

from modern.process import runtime
from tests.cluster.trainings import ENV

TRY = """
from modern.process import quiet_import
quiet_import.import_tensorflow()
import tensorflow as tf
from modern.process import runtime
runtime.configure(seed=3, deterministic=True, intra_op_threads=1, inter_op_threads=2)
print(tf.config.threading.get_intra_op_parallelism_threads())
print(tf.config.threading.get_inter_op_parallelism_threads())
print(tf.random.uniform([2]).numpy().tolist())
import numpy, random
print(numpy.random.random(), random.random())
"""


def test_threads_and_seed():
    outputs = [
        subprocess.run(
            [sys.executable, "-c", TRY],
            env=os.environ | ENV,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout.splitlines()
        for _ in range(2)
    ]
    assert outputs[0][:2] == ["1", "2"]
    assert len(outputs[0]) == 4
    assert outputs[0] == outputs[1]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc is Linux'")
def test_large_buffers_are_kept():
    """A freed buffer of 8 MB is allocated again without page faults."""
    code = """
import ctypes, resource
from modern.process import quiet_import
quiet_import.import_tensorflow()
from modern.process import runtime
{keep}
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes, libc.free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
def use():
    buffer = libc.malloc(8 << 20)
    ctypes.memset(buffer, 1, 8 << 20)
    libc.free(buffer)
use()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(8): use()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""

    def faults(keep):
        done = subprocess.run(
            [sys.executable, "-c", code.format(keep=keep)],
            env=os.environ | ENV | {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=131072"},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return int(done.stdout)

    assert faults("runtime.keep_large_buffers()") < 1000 < faults("")


def test_elsewhere_it_does_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    runtime.keep_large_buffers()
