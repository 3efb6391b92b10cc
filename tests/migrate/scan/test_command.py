"""Tests for the `scan` command: its exit codes and errors."""

import os
import subprocess
import sys

import pytest

from migrate.scan import command
from modern.process import cli
from tests.migrate.scan.small_job import job

__all__ = ["job"]  # a fixture


@pytest.mark.parametrize(
    ("path", "code"), [("a job.py", 1), ("bad.py", 1), ("new.py", 0), (".", 1)]
)
def test_check(job, tmp_path, path, code):
    (tmp_path / "new.py").write_text("import tensorflow as tf\ntf.cast(x)")
    assert command.main([path, "--check"]) == code


def test_an_empty_folder(tmp_path, capsys):
    assert command.main([str(tmp_path), "--check"]) == 0
    assert "no Python file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.py"], "there is no file or folder 'none.py'"),
        ([".", "--output=a job.py"], "exists"),
        ([".", "--output=a job.py/x"], "cannot be written"),
        ([".", "--processes=0"], "at least 1"),
        ([".", "--details", "--format=json"], "--details needs --format=text"),
    ],
)
def test_misuse(job, arguments, said):
    with pytest.raises(cli.UsageError, match=said):
        command.main(arguments)


def test_tensorflow_is_not_imported(job):
    program = (
        "import sys; from migrate import __main__ as m; code = m.main(['scan', '.']); "
        "assert not {'tensorflow', 'tf_keras', 'libcst'} & set(sys.modules); sys.exit(code)"
    )
    root = os.path.dirname(os.path.dirname(sys.modules["migrate"].__path__[0] + "/"))
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": root}, check=True
    )
    assert done.returncode == 0
