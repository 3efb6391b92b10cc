"""Tests that old programs, rewritten to legacy, compute the same, and that failures are told."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys

from migrate.__main__ import main
from migrate.rewrite import rules
from migrate.rewrite.program import run
from tests.legacy import test_programs as untouched
from tests.migrate.rewrite import tools
from tests.oracle import compare

# NumPy 2 prints its numbers with their types. legacy.run restores the old format.
PRINTED_BY_NUMPY = "/regression/printed[3]"


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


def test_a_rule_that_fails_is_reported_with_its_file(tmp_path, monkeypatch, capsys):
    def fail_on_models(file):
        if file.path.endswith("model.py"):
            raise ValueError("a model")
        return ()

    rule = dataclasses.replace(rules.all_rules("modern")[0], find=fail_on_models)
    monkeypatch.setattr(rules, "all_rules", lambda to: [rule])
    make = "def make():\n    return estimator.Estimator(f, 'folder')\n"
    (tmp_path / "model.py").write_text(f"from legacy import estimator\n{make}")
    (tmp_path / "task.py").write_text("import model\njob = model.make()\njob.train(f)\n")
    assert run.run([str(tmp_path)], [rule], mode="diff", unsafe=True) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path}/model.py: failed: " in said
    assert "a model" in said
    assert "Traceback" not in said
