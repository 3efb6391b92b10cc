"""Tests for the cost of a batch."""

import dataclasses
import subprocess
import sys

import pytest

from benchmarks import costs, programs

# Other tests must not send meanwhile: the bytes are those of the machine.
pytestmark = pytest.mark.cluster


def test_every_bar_and_cost_is_of_a_program():
    names = {one.name for one in programs.mnist_cnn("python2.15", "python-torch")}
    assert _names_of(programs.BARS) | {*programs.REFERENCE, *costs.WAYS} <= names
    sparse = {one.name for one in programs.sparse_embeddings("python2.15", ps=2)}
    ported = {"parameter_server", "parameter_server Keras 3"}
    assert _names_of(programs.SPARSE_BARS) | ported == sparse
    of_columns = {one.name for one in programs.columns("mod", "python2.15", ps=2)}
    assert of_columns == sparse - ported


def _names_of(bars):
    return {bar.program for bar in bars} | {bar.baseline for bar in bars}


SENDS = """
import socket, sys
steps = int(sys.argv[1].partition("=")[2])
a = socket.create_server(("127.0.0.1", 0))
b = socket.create_connection(a.getsockname())
c = a.accept()[0]
for _ in range(steps):
    b.sendall(bytes(10_000))
    c.recv(10_000, socket.MSG_WAITALL)
    sum(range(10_000))
"""


@pytest.mark.parametrize("per_step", [1, 2])
def test_a_batch_costs_the_difference_of_two_lengths(per_step, tmp_path):
    command = (sys.executable, "-c", SENDS)
    program = programs.Program("it", command, None, False, 1, 0, per_step)
    found = costs.cost(program, tmp_path / "mnist.npz", (800, 2400))
    # A step sends 10 kB.
    assert found.sent_mb == pytest.approx(0.01 / per_step, rel=0.5)
    assert found.cpu_ms > 0.02 / per_step


def test_a_task_that_fails_is_named(tmp_path):
    command = (sys.executable, "-c", "raise SystemExit('oh dear')")
    program = programs.Program("it", command, None, False, 1, 0)
    with pytest.raises(RuntimeError, match="it: worker-0 failed:\n(.*\n)*.*oh dear"):
        costs.cpu_and_bytes(program, tmp_path / "mnist.npz", [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("parameter_server", "modern.train"),
        ("parameter_server Keras 3", "modern.train"),
        ("parameter_server", "tests.benchmarks.dense_read"),
    ],
)
def test_a_read_of_whole_tables_is_seen(name, module):
    (program,) = (one for one in programs.sparse_embeddings(None, ps=1) if one.name == name)
    command = tuple(part.replace("modern.train", module) for part in program.command)
    found = costs.cost(dataclasses.replace(program, command=command), None, (120, 160))
    touched, tables = costs.touched_mb()
    if module == "modern.train":
        assert 2 * touched < found.sent_mb < 4 * touched
    else:
        assert found.sent_mb > tables


def test_a_program_without_two_lengths_is_refused(tmp_path):
    (tmp_path / "mnist.npz").touch()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.costs", f"--mnist={tmp_path / 'mnist.npz'}"),
            "--original_python=python2.15",
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "--original_python=python2.15 is not for --job=mnist_cnn" in done.stderr
