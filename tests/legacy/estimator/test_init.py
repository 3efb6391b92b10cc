"""Test of the cost of importing legacy.estimator, in a new process."""

import os
import subprocess
import sys


def test_tensorflow_is_left_out_of_garbage_collections():
    code = "import gc, legacy.estimator; print(gc.isenabled(), gc.get_freeze_count() > 100_000)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "True"]
