"""Tests for the `migrate` command itself: help, misuse and missing libraries."""

import subprocess
import sys

import pytest

from migrate import __main__ as migrate


def test_help_lists_the_commands(capsys):
    assert migrate.main(["--help"]) == 0
    said = capsys.readouterr().out
    for command in migrate._COMMANDS:
        assert f"python -m migrate {command} " in said


@pytest.mark.parametrize("argv", [[], ["scam", "."]])
def test_without_a_command_it_is_misuse(argv, capsys):
    assert migrate.main(argv) == 2
    assert "scan" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "module"), [("scan", "pathspec"), ("cluster", "yaml"), ("cluster", "rich")]
)
def test_a_library_that_is_missing_is_one_line(command, module, tmp_path):
    (tmp_path / "job").write_text("kind: TFJob")
    # A process of its own, because this one may have imported the module already.
    program = (
        f"import sys; sys.modules[{module!r}] = None; from migrate import __main__; "
        f"sys.exit(__main__.main([{command!r}, {str(tmp_path / 'job')!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"migrate {command}: {module} must be installed: pip install 'estimator-ladder[migrate]'\n"
    )


def test_a_reader_that_has_seen_enough_sees_no_traceback(tmp_path):
    # The output exceeds the buffer of a pipe, so that the command writes after `head` has ended.
    (tmp_path / "job.py").write_text("import tensorflow as tf\n" + "tf.log(1)\n" * 20_000)
    command = f"{sys.executable} -m migrate scan {tmp_path} --format=json | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{\n"
    assert done.stderr == "Reading 1 file ...\n"
