"""Runs programs as `migrate port` does, in a process that `starting` prepares."""

import os
import subprocess
import sys

from migrate.port.in_program import starting
from modern.process import at_start
from tests.migrate.rewrite import tools


def run(tmp_path, text, number=1):
    """Runs a program and returns its completed process."""
    work, record = tmp_path / f"run{number}" / "work", tmp_path / f"run{number}" / "record"
    work.mkdir(parents=True)
    record.mkdir()
    (work / "job.py").write_text(text)
    argument = starting.argument(str(work), str(record))
    environ = {**os.environ, **tools.ENVIRONMENT}
    return subprocess.run(
        [sys.executable, "job.py"],
        cwd=work,
        env=at_start.environment(starting.__name__, argument, environ),
        capture_output=True,
        text=True,
        check=False,
    )
