"""Tests for running a program and recording it."""

import sys

import pytest

from migrate import same_run
from tests.migrate.same_run import recorded


def test_a_program_of_which_nothing_is_recorded_could_be_anything(tmp_path):
    runs = [recorded.record(tmp_path / name, "-c", "print(1)") for name in "ab"]
    outcome = same_run.same_run(*runs)
    assert (outcome.verdict, runs[0].output) == ("could not tell", "1\n")


def test_a_program_that_does_not_run_python_is_said_to(tmp_path):
    run = same_run.record(["true"], str(tmp_path))
    assert "the recorder did not begin" in run.not_recorded[0]


def test_a_program_that_does_not_end_is_ended(tmp_path):
    run = recorded.record(tmp_path, "-c", "import signal; signal.pause()", timeout=1)
    assert run.exit_code is None
    assert "the program was ended after 1 s" in run.not_recorded


def test_a_recording_does_not_replace_another(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="not empty"):
        same_run.record(["true"], str(tmp_path))


def test_exports_may_be_binary_or_text(tmp_path):
    code = (
        "import os\n"
        "for name in ('a/123/saved_model.pb', 'a/124/saved_model.pbtxt', 'b/variables'):\n"
        "    os.makedirs(os.path.dirname(name), exist_ok=True)\n"
        "    open(name, 'w').close()\n"
    )
    work = tmp_path / "work"
    work.mkdir()
    command = [sys.executable, "-c", code]
    run = same_run.record(command, str(tmp_path / "recording"), cwd=str(work))
    assert [*run.exports] == ["a/export 1", "a/export 2"]
