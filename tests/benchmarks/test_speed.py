"""Tests that the ratios of programs decide the exit code."""

import io
import subprocess
import sys

import pytest
import rich.console

from benchmarks import speed


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
        (
            ["--job=sparse_embeddings", "--torch_python=python"],
            "--torch_python=python is for --job=mnist_cnn: leave it out, or change --job.",
        ),
        (
            ["--ps=2"],
            "--ps=2 is for --job=sparse_embeddings or columns or files: leave it out",
        ),
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
