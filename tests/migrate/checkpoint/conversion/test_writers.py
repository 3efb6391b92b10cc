"""Tests for large, damaged and killed conversions: bounded memory, and no partial output."""

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

from migrate.checkpoint import convert, open_source
from modern.process import cli
from tests.migrate.checkpoint import damage


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Writes a checkpoint of 200 MB: five tensors of 40 MB, each in its own shard."""
    return damage.write(str(tmp_path_factory.mktemp("large") / "model"), [(10_000_000,)] * 5)


@pytest.fixture
def two_shards(tmp_path):
    return damage.write(str(tmp_path / "model"), [(100,), (7,)])


def test_one_changed_bit_of_a_large_tensor_is_found_by_its_checksum(large, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(os.path.dirname(large), folder)
    damage.flip(folder / "model.data-00003-of-00005", 12_345_678)
    with pytest.raises(cli.UsageError, match="model.data-00003-of-00005 is damaged.*of w3"):
        convert(str(folder / "model"), str(tmp_path / "out"))
    assert os.listdir(tmp_path) == ["copy"]


# The audit hook kills the process in the middle of the conversion. SIGKILL leaves no chance to
# clean up.
_KILLED = """
import os, signal, sys

def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith("group-2.index"):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
from migrate.checkpoint import command
command.main(["convert", sys.argv[1], "--output=" + sys.argv[2]])
"""


# The first, small conversion loads all libraries, so that they do not count.
_MEASURED = """
import resource, sys
from migrate.checkpoint import command

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

command.main(["convert", sys.argv[1], "--output=" + sys.argv[2] + "-small"])
before = peak()
command.main(["convert", sys.argv[3], "--output=" + sys.argv[2]])
print((peak() - before) * 1024)
"""


def _run(program, *arguments):
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60
    )


def test_killed_in_the_middle_leaves_a_named_temporary_that_the_next_run_removes(large, tmp_path):
    output = str(tmp_path / "model")
    killed = _run(_KILLED, large, output)
    assert killed.returncode == -signal.SIGKILL
    (left,) = os.listdir(tmp_path)
    assert left.startswith("model.partial-")
    with pytest.raises(cli.UsageError, match="no such checkpoint"):
        open_source(output)
    convert(large, output)
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]
    np.testing.assert_array_equal(*(s.read(s.stored[4]) for s in map(open_source, (large, output))))


def test_memory_is_bounded_by_the_largest_tensors(large, two_shards, tmp_path):
    done = _run(_MEASURED, two_shards, str(tmp_path / "out"), large)
    assert done.returncode == 0, done.stderr
    # Two tensors of 40 MB at a time, and the copy for verification. All tensors take 200 MB.
    assert int(done.stdout.splitlines()[-1]) < 120e6
