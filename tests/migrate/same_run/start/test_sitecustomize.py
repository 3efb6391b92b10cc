"""Tests for the start of the recorder."""

import os

from tests.migrate.rewrite import tools
from tests.migrate.same_run import recorded


def test_another_sitecustomize_runs_as_well(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('mine')\n")
    path = os.pathsep.join([str(tmp_path), tools.ENVIRONMENT["PYTHONPATH"]])
    run = recorded.record(tmp_path / "run", "-c", "pass", env={"PYTHONPATH": path})
    assert run.output == "mine\n"
    assert run.not_recorded == ()
