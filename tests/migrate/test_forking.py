"""Tests that a process is forked only if it has not imported TensorFlow."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("first", "expected"), [("", "True"), ("import tensorflow", "False")])
def test_tensorflow_is_not_forked(first, expected):
    text = f"{first}\nfrom migrate import forking\nprint(forking.may_fork())"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == expected
