"""Tests that programs are run and measured, and that ratios decide the exit code."""

import io
import subprocess
import sys

import pytest
import rich.console

from benchmarks import programs, speed

WRITES = """
import json, socket, sys
a = socket.create_server(("127.0.0.1", 0))
b = socket.create_connection(a.getsockname())
c = a.accept()[0]
for _ in range(int(sys.argv[2]) // 1000):
    b.sendall(bytes(1000))
    c.recv(1000, socket.MSG_WAITALL)
sum(range(int(sys.argv[3])))
json.dump(dict(examples_per_second=7.5), open(sys.argv[1], "w"))
"""


def program(code, *arguments):
    command = (sys.executable, "-c", code, "{dir}/speed.json", *arguments)
    return programs.Program("it", command, "speed.json", False, 1, 0)


def test_a_turn_has_speed_and_costs(tmp_path):
    light = speed.measure(program(WRITES, "0"), tmp_path / "mnist.npz", ["0"])
    heavy = speed.measure(program(WRITES, "300000"), tmp_path / "mnist.npz", ["100000000"])
    assert light.examples_per_second == 7.5
    assert heavy.sent_bytes - light.sent_bytes > 200_000
    assert heavy.cpu_s - light.cpu_s > 0.2


def test_a_task_that_fails_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="it: worker-0 failed:\n(.*\n)*.*oh dear"):
        speed.measure(program("raise SystemExit('oh dear')"), tmp_path / "mnist.npz")


@pytest.mark.parametrize(("ours", "code", "word"), [(13.0, 0, "reached"), (12.0, 1, "MISSED")])
def test_the_median_of_the_rounds_ratios_decides(ours, code, word):
    # The second round is slow for both programs, which must not matter.
    speeds = {
        "parameter_server": [ours, ours / 4, ours],
        "plain parameter_server": [10.0, 2.5, 10.0],
    }
    out = io.StringIO()
    assert speed._report(rich.console.Console(file=out, width=120), speeds) == code
    line = f"parameter_server / plain parameter_server: {ours / 10:.2f}, wanted 1.25: {word}"
    assert line in out.getvalue()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--job=sparse_embeddings", "--only=bridges"],
            "--only=bridges names no program: give some of legacy.run, bridge",
        ),
        (["--ps=2"], "--ps=2 is for --job=sparse_embeddings: leave it out, or change --job."),
    ],
)
def test_misuse_is_named(flags, message):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.speed", *flags],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert message in done.stderr
