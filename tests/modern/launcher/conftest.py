"""The fixture that runs Python programs as the tasks of a local cluster."""

import sys

import pytest

from modern.launcher.local import LocalCluster
from tests.modern.cluster.processes import alive
from tests.modern.launcher.prelude import PRELUDE


@pytest.fixture
def cluster(tmp_path):
    """Yields a function that makes a cluster of Python tasks, with logs in tmp_path/logs."""
    made = []

    def make(program, **options):
        command = [sys.executable, "-S", "-c", PRELUDE + program, str(tmp_path)]
        made.append(LocalCluster(command, log_dir=tmp_path / "logs", **options))
        return made[-1]

    yield make
    for each in made:
        assert not any(alive(task.pid) for task in each.tasks if task.process)
