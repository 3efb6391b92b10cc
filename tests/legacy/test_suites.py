"""Tests of `python -m legacy.run` with the test suite of a project, in the styles of large ones."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from legacy import run

SUITE = pathlib.Path(__file__).parent / "suite"


@pytest.fixture
def project(tmp_path):
    """Returns a project for TensorFlow 1 with a suite, and installs a library that it needs.

    The library is in the folder that has pytest, as in an environment.
    """
    libraries = tmp_path / "site-packages"
    libraries.mkdir()
    shutil.copy(SUITE / "strict.py", libraries)
    (libraries / "pytest").symlink_to(pathlib.Path(pytest.__file__).parent)
    folder = tmp_path / "project"
    shutil.copytree(SUITE / "stranded", folder / "stranded")
    (folder / "tests").mkdir()
    (folder / "tests" / "__init__.py").touch()
    shutil.copy(SUITE / "cases.py", folder / "tests" / "stranded_test.py")
    return folder


def ran(project, *arguments):
    root = str(pathlib.Path(run.__file__).parents[1])
    libraries = str(project.parent / "site-packages")
    return subprocess.run(
        [sys.executable, "-m", "legacy.run", *arguments],
        capture_output=True,
        text=True,
        cwd=project,
        env={
            **os.environ,
            "CUDA_VISIBLE_DEVICES": "-1",
            "PYTHONPATH": os.pathsep.join([libraries, root]),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        },
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/"], "10 passed"),
        (["-m", "unittest", "tests.stranded_test"], "OK"),
        (["-m", "tests.stranded_test"], "OK"),
    ],
)
def test_a_suite_passes(project, arguments, said):
    done = ran(project, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    assert "is read as TensorFlow 1 (tf.contrib.no_such_part" in done.stderr


def test_a_suite_of_an_installed_package_passes(project):
    libraries = project.parent / "site-packages"
    shutil.copytree(project / "stranded", libraries / "stranded")
    (project / "src").mkdir()
    (project / "stranded").rename(project / "src" / "stranded")
    done = ran(project, "-m", "pytest", "-q", "-k", "testVersions", "tests")
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_an_installed_package_that_uses_tensorflow_is_the_program(project):
    libraries = project.parent / "site-packages"
    (project / "stranded").rename(libraries / "stranded")
    done = ran(project, "-m", "stranded.tool")
    assert done.stdout.startswith("1.15.5 2."), done.stderr


# Suites in the styles of libraries for sequences, for ranking and for agents, with the number of
# their tests that pass on TensorFlow 1.15.5.
LARGE = {"agents": 25, "ranking": 22, "translation": 25}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_suite_passes(tmp_path, name):
    shutil.copy(SUITE / f"{name}_cases.py", tmp_path / f"{name}_test.py")
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "project").mkdir()
    shutil.move(tmp_path / f"{name}_test.py", tmp_path / "project")
    done = ran(tmp_path / "project", "-m", "pytest", "-q", "-p", "no:cacheprovider", ".")
    assert f"{LARGE[name]} passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
