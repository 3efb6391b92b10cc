"""Tests of the memory and the start time of a process."""

import subprocess
import sys
import time

import pytest

from modern.process import process_info


def test_start_time():
    age = time.time() - process_info.start_time()
    assert 0 < age < 3600


def test_the_peak_is_of_this_process_and_not_of_its_parent():
    # In a new process, whose peak is not that of other tests.
    child = "from modern.process import process_info; print(process_info.peak_rss_mb())"
    parent = f"""
import subprocess, sys
from modern.process import process_info
before = process_info.peak_rss_mb()
filled = bytearray(300_000_000)
filled[::4096] = bytes(len(filled[::4096]))  # touches every page
print(process_info.peak_rss_mb() - before, flush=True)
subprocess.run([sys.executable, "-c", {child!r}], check=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", parent], capture_output=True, text=True, check=True
    )
    grown, of_child = map(float, done.stdout.split())
    assert grown > 200
    assert of_child < 200


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({}, None),
        ({"proc/meminfo": "MemTotal: 9 kB\nMemAvailable:   4 kB\n"}, 4096),
        ({"sys/fs/cgroup/memory.max": "900\n", "sys/fs/cgroup/memory.current": "300\n"}, 600),
        (
            {
                "proc/meminfo": "MemAvailable: 4 kB\n",
                "sys/fs/cgroup/memory.max": "max\n",
                "sys/fs/cgroup/memory.current": "300\n",
            },
            4096,
        ),
    ],
)
def test_the_memory_of_the_machine_and_of_the_container_limit_a_process(tmp_path, files, free):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert process_info.free_memory(str(tmp_path)) == free
