"""Tests of `legacy.install()` in a process that has already imported TensorFlow."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import legacy
from legacy import installing

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def test_install_and_undo(tmp_path):
    libraries = tmp_path / "site-packages"
    libraries.mkdir()
    shutil.copy(PROGRAMS / "library.py", libraries)
    shutil.copy(PROGRAMS / "installed.py", tmp_path)
    root = str(pathlib.Path(legacy.__file__).parents[1])
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("TF_USE_LEGACY_KERAS", None)
    environment["PYTHONPATH"] = os.pathsep.join([str(libraries), root])
    done = subprocess.run(
        [sys.executable, tmp_path / "installed.py"],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout.splitlines()[-1])
    assert facts["before"] == [False, False]
    assert facts["v2"] == ["2.15.1", "EstimatorV2", "Estimator", True, False, *[True] * 4]
    attribute, module = facts["v2 errors"]
    assert attribute.startswith("NotProvidedError: module 'tensorflow' has no attribute")
    assert "--api=v1" in attribute
    assert module.startswith("NotProvidedImportError: No module named 'tensorflow.contrib'")
    assert facts["v1"][:-1] == ["1.4.0", 3, "Estimator", True, 1, False]
    assert facts["v1"][-1].startswith("tf.contrib.tensorrt is not provided: ")
    assert [row[:2] for row in facts["report"]] == [
        [3, "tf.contrib.tensorrt.convert"],
        [4, "tf.estimator.Estimator.no_such_method"],
        [6, "tf.contrib.training.NoSuchName"],
    ]
    assert all(name in trouble for _, name, trouble in facts["report"])
    assert facts["after"] == [False, False, True, True]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"api": "v3"}, "api='v3'"), ({"engine": "theirs"}, "engine='theirs'")],
)
def test_wrong_arguments(arguments, said):
    finders = list(sys.meta_path)
    with pytest.raises(ValueError, match=said):
        legacy.install(**arguments)
    assert sys.meta_path == finders


def test_importing_legacy_changes_nothing():
    code = (
        "import os, sys; before = dict(os.environ), list(sys.meta_path), sys.excepthook\n"
        "import legacy\n"
        "assert before == (dict(os.environ), list(sys.meta_path), sys.excepthook)\n"
        "assert 'tensorflow' not in sys.modules\n"
        "assert legacy.install.__module__ == 'legacy.installing'\n"
        "assert before[:2] == (dict(os.environ), list(sys.meta_path))"
    )
    root = pathlib.Path(legacy.__file__).parents[1]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)


def test_install_is_an_attribute():
    assert legacy.install is installing.install
    with pytest.raises(AttributeError, match="no attribute 'uninstall'"):
        _ = legacy.uninstall
