"""Tests that private names are the same objects as public ones, as in TensorFlow 1.15.

`tests/oracle/identities.py` recorded them there. `other_identities.txt` lists those that differ.
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
DATA = HERE / "data"


def test_private_names_are_the_public_ones():
    lines = (DATA / "other_identities.txt").read_text().split("\n")
    known = {line for line in lines if line and not line.startswith("#")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "legacy.run", "--api=v1"),
            *(HERE / "programs" / "identities.py", DATA / "identities.json"),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = set(json.loads(done.stdout))
    assert found - known == set(), "These were the same in TensorFlow 1.15."
    assert known - found == set(), "Remove them from the list: they are the same again."
