"""Tests of programs that have packages with the names of this toolkit's."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import legacy
from legacy import same_names

ROOT = pathlib.Path(legacy.__file__).parents[1]
PROGRAM = """
import importlib, multiprocessing, subprocess, sys
import benchmarks.speed, legacy, modern
import numpy as np
from legacy import part

def value(_):
    import legacy.part
    return legacy.part.VALUE

if __name__ == "__main__":
    print(part.VALUE, modern.VALUE, benchmarks.speed.VALUE)
    print(importlib.import_module("legacy.part") is part)
    print(multiprocessing.get_context("spawn").Pool(1).map(value, [1]))
    print(float(np.percentile([1, 2], 50, interpolation="lower")))
    legacy.no_such_name
"""


@pytest.fixture
def program(tmp_path):
    job = tmp_path / "job"
    for name, text in (
        ("legacy/__init__.py", "from . import part"),
        ("legacy/part.py", "VALUE = 1"),
        ("modern.py", "VALUE = 2"),
        ("benchmarks/speed.py", "VALUE = 3"),  # A package without an __init__.
        ("train.py", PROGRAM),
    ):
        path = job / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return job / "train.py"


def run(*arguments, cwd, path=str(ROOT)):
    """Runs `legacy.run`. Without a path, the installed toolkit is found by its start file."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", "legacy.run", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=env if path is None else {**env, "PYTHONPATH": path},
        check=False,
    )


def test_the_program_imports_its_own_packages(program, tmp_path):
    done = run(program, cwd=tmp_path)
    assert done.stdout.splitlines() == ["1 2 3", "True", "[1]", "1.0"], done.stderr
    assert done.returncode == 1
    assert done.stderr.endswith("AttributeError: module 'legacy' has no attribute 'no_such_name'\n")


def test_names_in(program, tmp_path):
    assert same_names.names_in([tmp_path]) == frozenset()
    assert same_names.names_in([ROOT]) == frozenset()
    assert same_names.names_in([program.parent]) == {"benchmarks", "legacy", "modern"}


def build(*arguments):
    subprocess.run(
        [sys.executable, "setup.py", "-q", *arguments], cwd=ROOT, check=True, capture_output=True
    )


def test_a_build_has_the_start_file(tmp_path):
    build("build", "--build-base", tmp_path / "build", "--build-lib", tmp_path / "lib")
    for name in ("estimator_ladder.pth", "estimator_ladder_start.py"):
        assert (tmp_path / "lib" / name).read_bytes() == (ROOT / name).read_bytes()


def test_an_editable_wheel_has_the_start_file(tmp_path):
    build("editable_wheel", "--dist-dir", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        line = files.read("estimator_ladder.pth")
    assert line == (ROOT / "estimator_ladder.pth").read_bytes()


@pytest.fixture
def folder(program):
    """Returns a folder with a program and a test suite in a package `legacy`."""
    for name, text in (
        ("legacy/__init__.py", "print('imported')"),
        # A module with the name of one of this toolkit's.
        ("legacy/startup.py", "VALUE = 1"),
        ("legacy/task.py", "import modern\nfrom legacy import part\nprint(part.VALUE)"),
        (
            "legacy/part_test.py",
            "import unittest, modern\nfrom unittest import mock\nfrom legacy import part\n"
            "class PartTest(unittest.TestCase):\n"
            "    @mock.patch('legacy.part.VALUE', 5)\n"
            "    def test(self):\n"
            "        self.assertEqual((part.VALUE, modern.VALUE), (5, 2))\n",
        ),
    ):
        (program.parent / name).write_text(text)
    return program.parent


@pytest.mark.parametrize("arguments", [["-m", "legacy.task"], ["legacy/task.py"]], ids=" ".join)
def test_a_program_in_such_a_package_runs_in_its_folder(folder, arguments):
    done = run(*arguments, cwd=folder, path=None)
    assert done.stdout.splitlines() == ["imported", "1"], done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    "tool", [["pytest", "-q", "-p", "no:cacheprovider"], ["unittest"]], ids=["pytest", "unittest"]
)
def test_a_suite_in_such_a_package_runs_in_its_folder(folder, tool):
    test = "legacy/part_test.py" if "pytest" in tool else "legacy.part_test"
    done = run("-m", *tool, test, cwd=folder, path=None)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout or "Ran 1 test" in done.stderr


def test_a_program_that_adds_the_folder_above_to_its_path(folder, tmp_path):
    (folder / "legacy" / "task.py").write_text(
        "import os, sys\n"
        "sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))\n"
        "from legacy import part\nprint(part.VALUE)\n"
    )
    done = run(folder / "legacy" / "task.py", cwd=tmp_path)
    assert done.stdout.splitlines() == ["imported", "1"], done.stderr
