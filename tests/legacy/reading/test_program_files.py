"""Tests of the modules that belong to a program, and of the paths of their files."""

import os
import subprocess
import sys

import pytest

from legacy.reading import program_files, source


@pytest.fixture
def write(tmp_path):
    def writes(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    return writes


def found(main, tmp_path):
    paths = [module.path for module in source.find(main).modules()]
    return [os.path.relpath(path, tmp_path) for path in paths]


def test_packages_around_a_module_are_parts(write, tmp_path):
    write("a/__init__.py", "from . import b")
    write("a/b.py")
    write("a/c/__init__.py")
    write("a/c/d.py", "from ..e import f")
    write("a/e.py")
    main = write("main.py", "from a.c.d import function\n")
    assert found(main, tmp_path) == [
        "main.py",
        "a/__init__.py",
        "a/c/__init__.py",
        "a/c/d.py",
        "a/b.py",
        "a/e.py",
    ]


def test_modules_are_found_where_pythonpath_says(write, tmp_path, monkeypatch):
    write("lib/model.py", "import common")
    write("lib/common.py")
    write("site-packages/installed.py")
    main = write("jobs/main.py", "import model, installed")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}/lib{os.pathsep}{tmp_path}/site-packages")
    assert found(main, tmp_path) == ["jobs/main.py", "lib/model.py", "lib/common.py"]


def test_the_folder_of_the_program_comes_first(write, tmp_path, monkeypatch):
    write("lib/model.py")
    write("jobs/model.py")
    main = write("jobs/main.py", "import model")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}/lib")
    assert found(main, tmp_path) == ["jobs/main.py", "jobs/model.py"]


def test_modules_are_found_in_the_repository_of_the_program(write, tmp_path):
    write("outside.py")
    write("work/setup.py")
    write("work/own/__init__.py")
    write("work/src/more.py")
    write("work/json.py")
    main = write("work/examples/deep/main.py", "import own.x, more, outside, json, yaml, absent")
    assert found(main, tmp_path) == [
        "work/examples/deep/main.py",
        "work/own/__init__.py",
        "work/src/more.py",
    ]


def test_outside_of_a_repository_the_folder_above_is_searched(write, tmp_path):
    write("outside.py")
    write("work/beside.py")
    main = write("work/jobs/main.py", "import beside, outside")
    assert found(main, tmp_path) == ["work/jobs/main.py", "work/beside.py"]


def test_the_toolkit_is_no_part_of_a_program(write, tmp_path):
    main = write("main.py", "from legacy import estimator\nimport migrate.bridge, tests.conftest")
    root = os.path.dirname(os.path.dirname(os.path.abspath(sys.modules["legacy"].__file__)))
    script = "import sys; from legacy.reading import source; "
    script += f"print([module.path for module in source.find({main!r}).modules()])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        check=True,
    )
    assert "tests/conftest.py" in done.stdout
    assert "legacy/estimator" not in done.stdout
    assert "migrate/bridge" not in done.stdout


@pytest.mark.parametrize("is_copy", [True, False], ids=["copy", "own package of that name"])
def test_another_copy_of_the_toolkit_is_no_part_of_a_program_in_it(write, tmp_path, is_copy):
    write(".git/HEAD")
    write("legacy/__init__.py")
    write("legacy/hooks.py")
    write("legacy/reading/callers.py" if is_copy else "legacy/other.py")
    main = write("runs/main.py", "from legacy import hooks")
    others = [] if is_copy else ["legacy/__init__.py", "legacy/hooks.py"]
    assert found(main, tmp_path) == ["runs/main.py", *others]


def test_heads_are_the_names_of_modules(write, tmp_path):
    write("a.py")
    write("b/c.py")
    write("not-a-name.py")
    assert program_files.heads_in([str(tmp_path), "/no/such/folder"]) == {"a", "b"}
