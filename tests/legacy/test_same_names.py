"""Tests of programs that have packages with the names of this toolkit's."""

import os
import pathlib
import subprocess
import sys

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


def run(*arguments, cwd, root=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "legacy.run", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(root)},
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


def test_the_command_is_found_in_the_folder_of_such_a_program(program, tmp_path):
    """The `.pth` file of an installed toolkit finds it."""
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build", "--build-base", tmp_path / "build"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    installed = tmp_path / "build" / "lib"
    assert (installed / "estimator_ladder.pth").exists()
    (tmp_path / "sitecustomize.py").write_text(f"import site; site.addsitedir({str(installed)!r})")
    (program.parent / "legacy" / "__init__.py").write_text("print('imported')\nVALUE = 1")
    (program.parent / "short.py").write_text("import legacy\nprint(legacy.VALUE)")
    done = run("short.py", cwd=program.parent, root=tmp_path)
    assert done.stdout.splitlines() == ["imported", "1"], done.stderr
