"""Tests for missing, truncated and corrupt files, and for killed conversions: no partial output."""

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.checkpoint import convert, open_source
from modern.process import cli


def _write(prefix, shapes):
    rng, parts = np.random.default_rng(0), []
    for number, shape in enumerate(shapes):
        parts.append(f"{prefix}-part{number}")
        value = rng.normal(size=shape).astype(np.float32)
        tf.raw_ops.SaveV2(
            prefix=parts[-1], tensor_names=[f"w{number}"], shape_and_slices=[""], tensors=[value]
        )
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=prefix)
    return prefix


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Writes a checkpoint of 200 MB: five tensors of 40 MB, each in its own shard."""
    return _write(str(tmp_path_factory.mktemp("large") / "model"), [(10_000_000,)] * 5)


@pytest.fixture
def small(tmp_path):
    return _write(str(tmp_path / "model"), [(100,), (7,)])


SHARD = ".data-00001-of-00002"


def _cut(path, size):
    with open(path, "r+b") as file:
        file.truncate(size)


def _flip(path, place):
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ 1]))


@pytest.mark.parametrize(
    ("damage", "suffix", "message"),
    [
        (os.remove, SHARD, "cannot be read .No such file"),
        (lambda path: _cut(path, 20), SHARD, "is cut off: it has 20 bytes .* speaks of 28"),
        (lambda path: _flip(path, 3), SHARD, "is damaged: w1 cannot be read"),
        (os.remove, ".index", "is missing"),
        (lambda path: _cut(path, 60), ".index", "is damaged, or no index"),
        (lambda path: _flip(path, 25), ".index", "is damaged"),
        (lambda path: _cut(path, 0), ".index", "is damaged, or no index"),
    ],
)
def test_the_file_that_is_damaged_is_named_and_nothing_is_written(
    damage, suffix, message, small, tmp_path
):
    damage(small + suffix)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(cli.UsageError, match=f"model{suffix} {message}"):
        convert(small, str(tmp_path / "out" / "model"))
    assert sorted(os.listdir(tmp_path)) == before


def test_one_changed_bit_of_a_large_tensor_is_found_by_its_checksum(large, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(os.path.dirname(large), folder)
    _flip(folder / "model.data-00003-of-00005", 12_345_678)
    with pytest.raises(cli.UsageError, match="model.data-00003-of-00005 is damaged.*of w3"):
        convert(str(folder / "model"), str(tmp_path / "out"))
    assert os.listdir(tmp_path) == ["copy"]


@pytest.mark.parametrize("name", ["m.h5", "m.weights.h5", "m.keras"])
@pytest.mark.filterwarnings("ignore:You are saving:UserWarning")
def test_a_file_of_keras_that_is_cut_off_is_named(name, tmp_path):
    layers = [tf_keras.layers.Input((3,)), tf_keras.layers.Dense(2)]
    model, path = tf_keras.Sequential(layers), str(tmp_path / name)
    model.save_weights(path) if "weights" in name else model.save(path)
    open_source(path).close()
    if name == "m.keras":  # the only format of the three with a checksum
        _flip(path, os.path.getsize(path) // 2)
        with pytest.raises(cli.UsageError, match=f"{name} is damaged"):
            open_source(path)
    _cut(path, os.path.getsize(path) // 2)
    with pytest.raises(cli.UsageError, match=f"{name} is damaged or cut off"):
        open_source(path)


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


def test_memory_is_bounded_by_the_largest_tensors(large, small, tmp_path):
    done = _run(_MEASURED, small, str(tmp_path / "out"), large)
    assert done.returncode == 0, done.stderr
    # Two tensors of 40 MB at a time, and the copy for verification. All tensors take 200 MB.
    assert int(done.stdout.splitlines()[-1]) < 120e6
