"""Tests that a ps or worker serves until the chief has finished, also after Ctrl-C."""

import os
import re
import signal
import subprocess
import sys

import pytest

from modern.cluster import addresses, plan, tf_config
from modern.records import task_records
from tests.cluster.trainings import ENV
from tests.modern.cluster.processes import until

SERVE = """
import sys
from modern.cluster import tf_config
from modern.tasks import server
sys.exit(server.serve(tf_config.load(), {model_dir!r}, give_up_after_s={patience},
    until_gone={until_gone}))
"""
CHIEF = """
import pathlib, socket, sys, time
listening = socket.create_server(("localhost", int(sys.argv[1])))
listening.accept()
pathlib.Path(sys.argv[2]).touch()
time.sleep(60)
"""


class Ps:
    """A ps process, and another process that listens on the chief's port."""

    def __init__(self, model_dir, patience=60, until_gone=False, chief_starts=True):
        tasks = plan.assign({"chief": 1, "worker": 1, "ps": 1}, "chief", evaluator=False)
        self._tasks = {task.task_type: task for task in tasks}
        self.model_dir = model_dir
        self._seen = model_dir / "chief-was-seen"
        self.chief = None
        if chief_starts:
            self.start_chief()
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                SERVE.format(model_dir=str(model_dir), patience=patience, until_gone=until_gone),
            ],
            env=os.environ | ENV | {"TF_CONFIG": self._tasks["ps"].tf_config},
            stderr=subprocess.PIPE,
            text=True,
        )

    def start_chief(self):
        self.chief = subprocess.Popen(
            [sys.executable, "-c", CHIEF, self._port("chief"), str(self._seen)]
        )

    def _port(self, task_type):
        return str(addresses.split(self._tasks[task_type].address)[1])

    def wait_until_it_serves(self):
        port = int(self._port("ps"))
        # The port cannot be bound once the server listens on it.
        until(lambda: addresses.bind_error(port) and task_records.read(self.model_dir, "ps-0"), 60)
        until(self._seen.exists)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in filter(None, (self.process, self.chief)):
            process.kill()
            process.wait()
        self.process.stderr.close()


@pytest.mark.parametrize("signum", [None, signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_the_chief_has_finished(tmp_path, signum):
    with task_records.Recorder(tmp_path, "chief-0"):
        pass  # The record of an earlier run.
    with Ps(tmp_path) as ps:
        with task_records.Recorder(tmp_path, "chief-0"):
            ps.wait_until_it_serves()
            if signum:
                ps.process.send_signal(signum)
            with pytest.raises(subprocess.TimeoutExpired):
                ps.process.wait(1.0)
        assert ps.process.wait(60) == (128 + signum if signum else 0)
    record = task_records.read(tmp_path, "ps-0")
    assert record["finished"]
    assert record["peak_rss_mb"] > 100


def test_after_a_signal_a_chief_has_minutes_to_save(tmp_path):
    with Ps(tmp_path) as ps:
        with task_records.Recorder(tmp_path, "chief-0"):
            ps.wait_until_it_serves()
            ps.process.send_signal(signal.SIGTERM)
            with pytest.raises(subprocess.TimeoutExpired):
                ps.process.wait(11.0)  # It was ten seconds once.
        assert ps.process.wait(60) == 143
        said = ps.process.stderr.read()
    assert said == (
        "ps-0: serves for at most 110 s, so that the chief can save; a second signal ends it at "
        "once.\n"
    )


def test_it_may_serve_until_the_chief_is_gone(tmp_path):
    with Ps(tmp_path, until_gone=True) as ps:
        with task_records.Recorder(tmp_path, "chief-0"):
            ps.wait_until_it_serves()
        with pytest.raises(subprocess.TimeoutExpired):
            ps.process.wait(1.0)
        ps.chief.kill()
        assert ps.process.wait(60) == 0


def test_after_a_signal_it_does_not_wait_for_a_chief_that_is_gone(tmp_path):
    with Ps(tmp_path, patience=600) as ps:
        ps.wait_until_it_serves()
        ps.chief.kill()
        ps.chief.wait()
        ps.process.send_signal(signal.SIGINT)
        assert ps.process.wait(60) == 130  # Long before its patience ends.


def test_it_gives_up_when_the_chief_stays_away(tmp_path):
    with Ps(tmp_path, patience=1) as ps:
        ps.wait_until_it_serves()
        ps.chief.kill()
        ps.chief.wait()
        assert ps.process.wait(60) == 1
        assert re.search(
            r"ps-0: the chief at localhost:\d+ has been gone for 1 s; giving up\.",
            ps.process.stderr.read(),
        )


def test_it_gives_up_when_the_chief_never_starts(tmp_path):
    with Ps(tmp_path, patience=1, chief_starts=False) as ps:
        assert ps.process.wait(60) == 1
        assert "has not started for 1 s; giving up." in ps.process.stderr.read()


def test_a_task_that_returns_after_the_end_learns_that_the_training_is_over(tmp_path):
    with task_records.Recorder(tmp_path, "chief-0"):
        pass
    with Ps(tmp_path, patience=1, chief_starts=False) as ps:
        assert ps.process.wait(60) == 0
        said = ps.process.stderr.read()
    assert f"has not started for 1 s, and its training in {tmp_path} is over since 2" in said


def test_the_end_of_an_earlier_run_does_not_end_this_one(tmp_path):
    """The chief of the next run starts later than this task."""
    with task_records.Recorder(tmp_path, "chief-0"):
        pass
    with Ps(tmp_path, patience=15, chief_starts=False) as ps:
        until(lambda: task_records.read(tmp_path, "ps-0"), 60)
        with task_records.Recorder(tmp_path, "chief-0"):
            ps.start_chief()
            ps.wait_until_it_serves()
        assert ps.process.wait(60) == 0
        assert ps.process.stderr.read() == ""


def test_the_task_it_is_made_for():
    text = plan.assign({"chief": 1, "worker": 1, "ps": 1}, "chief", False)[2].tf_config
    assert tf_config.parse(text).name == "ps-0"
