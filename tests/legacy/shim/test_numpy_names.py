"""Test that a program written for NumPy 1 gives its results."""

import json
import pathlib
import shutil
import subprocess
import sys

import legacy
from legacy.shim import numpy_names

ROOT = pathlib.Path(legacy.__file__).parents[1]


def test_a_program_for_numpy_1():
    program = ROOT / "tests" / "legacy" / "programs" / "old_numpy.py"
    done = subprocess.run(
        [sys.executable, "-m", "legacy.run", program],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts == {
        "names": [True, True, float("-inf"), True, 2],
        "errors": "AxisError",
        "types": "float32",
        "percentile": 1.0,
        "histogram": [1.0],
        "reshape": [[1], [2]],
        "unravel": [1, 1],
        "copy": [1, 2],
        "ragged": ["|O", [2]],
        "stacked": [[0], [1]],
        "fromstring": [97, 98],
        "text": [1.0, 2.0],
        "methods": [[[0.0, 7.0], [0.0, 5.0]], 7.0, 16],
        "slices": [1, 2],
        "one_element": [1.0, 1],
        "order": 256,
        "scalar": 4,
        "printed": ["{'loss': 0.5}", "{'loss': 0.5}"],
    }


def test_a_function_without_a_signature_takes_no_old_argument():
    """Older NumPy has such functions, for example unravel_index in NumPy 2.0."""
    assert not numpy_names._takes(iter, "dims")
    assert numpy_names._takes(shutil.copy, "src")
