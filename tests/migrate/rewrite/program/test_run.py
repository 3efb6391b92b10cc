"""Tests that old programs, rewritten to legacy, compute the same as on TensorFlow 1.15."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from migrate.__main__ import main
from tests.legacy import test_programs as untouched
from tests.migrate.rewrite import tools
from tests.oracle import compare

# NumPy 2 prints its numbers with their types. legacy.run restores the old format.
PRINTED_BY_NUMPY = "/regression/printed[3]"


@pytest.mark.timeout(300)
def test_rewritten_programs_compute_what_they_did(tmp_path):
    folder = tmp_path / "programs"
    shutil.copytree(untouched.PROGRAMS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert main(["rewrite", "--to=legacy", "--write", str(folder)]) == 0
    work = tmp_path / "work"
    work.mkdir()
    done = subprocess.run(
        [sys.executable, folder / "run_all.py"],
        capture_output=True,
        text=True,
        cwd=work,
        env={**os.environ, **tools.ENVIRONMENT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    recorded = json.loads((untouched.PROGRAMS / "recorded.json").read_text())
    seen = json.loads(done.stdout[done.stdout.index("{") :])
    different = compare.differences(recorded, seen)
    assert [line for line in different if not line.startswith(PRINTED_BY_NUMPY)] == []


def test_all_old_programs_here_can_be_rewritten_again_without_a_change(tmp_path, capsys):
    for name in ("tests/legacy/programs", "tests/legacy/documents", "tests/migrate/programs"):
        folder = tmp_path / name.replace("/", "-")
        shutil.copytree(tools.ROOT / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
        assert main(["rewrite", "--to=legacy", "--write", str(folder)]) == 0
        capsys.readouterr()
        assert main(["rewrite", "--to=legacy", "--check", str(folder)]) == 0, (
            capsys.readouterr().out
        )
