"""Tests of `at_start`, which runs functions in each Python that a process starts."""

import os
import subprocess
import sys

import pytest

from modern.process import at_start

MODULE = "def begin(argument):\n    print(__name__, argument)\n"


@pytest.fixture
def environ(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / "sitecustomize.py").write_text("print('the next sitecustomize')\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def ran(environ):
    program = [sys.executable, "-c", "import sys; print('program', len(sys.path))"]
    done = subprocess.run(program, env=environ, capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.splitlines()


def test_the_last_module_begins_first_and_the_program_sees_the_same_path(environ):
    added = at_start.environment("one", "a", at_start.environment("two", "b", environ))
    assert ran(added) == ["one a", "two b", *ran(environ)]


def test_a_module_begins_once_with_the_last_argument(environ):
    added = at_start.environment("one", "b", at_start.environment("one", "a", environ))
    assert ran(added) == ["one b", *ran(environ)]


def test_another_python_begins_nothing(environ, monkeypatch):
    monkeypatch.setattr(sys, "prefix", "/another")
    assert ran(at_start.environment("absent", "a", environ)) == ran(environ)
