"""Test that programs for TensorFlow 1.15 give the same results under legacy.run."""

import json
import os
import pathlib
import subprocess
import sys

from legacy import run
from tests.oracle import compare

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def test_programs_do_what_they_did(tmp_path):
    environment = {
        **os.environ,
        "CUDA_VISIBLE_DEVICES": "-1",
        "PYTHONPATH": str(pathlib.Path(run.__file__).parents[1]),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_ENABLE_ONEDNN_OPTS": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "legacy.run", "--api=v1", PROGRAMS / "run_all.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    recorded = json.loads((PROGRAMS / "recorded.json").read_text())
    assert compare.differences(recorded, json.loads(done.stdout)) == []
    assert list(tmp_path.iterdir()) == []
