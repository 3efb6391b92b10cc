"""Tests of the commands of benchmarks without the packages of their extra."""

import os
import subprocess
import sys

import pytest

APPS = ["compare", "costs", "estimator_speed", "rates", "speed"]


@pytest.mark.parametrize("app", APPS)
def test_a_missing_package_is_one_line(app, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['psutil'] = None\n")
    path = os.pathsep.join([str(tmp_path), os.getcwd()])
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{app}"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "benchmarks: psutil must be installed: pip install 'estimator-ladder[compare]'\n"
    )
