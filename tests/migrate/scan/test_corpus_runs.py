"""Tests that the programs of the corpus run under legacy on tiny data."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import legacy


@pytest.mark.slow
def test_programs_run(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.migrate.scan.run_corpus", str(tmp_path / "runs")],
        capture_output=True,
        text=True,
        cwd=pathlib.Path(legacy.__file__).parents[1],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert {run["program"]: run["error"] for run in runs if run["error"]} == {}
    assert len(runs) >= 15
