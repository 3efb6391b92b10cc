"""Tests of programs that rely on classes and private modules of old TensorFlow."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import tensorflow as tf

import legacy

PROGRAMS = pathlib.Path(__file__).parent / "programs"


@pytest.fixture
def facts(tmp_path):
    """Returns a function that runs a program under legacy.run and returns its facts."""
    libraries = tmp_path / "site-packages"
    libraries.mkdir()
    shutil.copy(PROGRAMS / "library.py", libraries)

    def run(name, *options):
        path = os.pathsep.join([str(libraries), str(pathlib.Path(legacy.__file__).parents[1])])
        program = shutil.copy(PROGRAMS / name, tmp_path)
        done = subprocess.run(
            [sys.executable, "-m", "legacy.run", *options, program],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": path},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def test_classes_behave_as_in_tensorflow_1(facts):
    assert facts("old_classes.py") == {
        "applied": [None, 3],
        "instances": [True, True, True, True, False, True],
        "dimensions": [[0], [2, 3], [None, 5], [2, 3], "Ambiguous dimension: 2.5"],
        "lists": [[], []],
        "unflattened": [5, 1],
        "predicted": [[0, 0], [2, 3]],
        "minimized": [[1]],
        "logger": True,
        "devices": ["/device:CPU:0", ""],
        "private": [True, "TensorBoardDebugHook"],
        "tpu": ["", "", "Please provide a TPU Name to connect to.", True],
    }


@pytest.mark.parametrize("api", ["v1", "v2"])
def test_private_modules_of_keras_are_those_of_tf_keras(facts, api):
    assert facts("private_keras.py", f"--api={api}") == {
        "different": [],
        "step": 1,
        "library": False,
    }


def test_summaries_of_tensorflow_2(tmp_path):
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        assert tf.summary.scalar("loss", 0.5, step=1)
