"""Tests of `modern.launch` on real trainings: lost tasks restart, and SIGTERM lets a job save."""

import json
import os
import signal
import subprocess
import sys

import psutil
import pytest

from modern.records import progress
from tests.cluster import core, trainings
from tests.modern.cluster.processes import alive, until

pytestmark = pytest.mark.cluster
BATCH = 32  # The batch size of linear_regression.
PROGRAMS = {
    "multi_worker_mirrored": ["modern.train", "--strategy=multi_worker_mirrored"],
    "parameter_server": ["modern.train", "--strategy=parameter_server", "--steps_per_epoch=1000"],
    "legacy": ["legacy.train"],
}
SIZES = {
    "multi_worker_mirrored": ["--workers=2"],
    "parameter_server": ["--chief", "--workers=2", "--ps=1"],
    "legacy": ["--chief", "--workers=1", "--ps=1"],
}


class Job:
    """A launcher with a training, which ends when the context is left.

    Args:
      folder: The folder of its files.
      way: The way of training.
      *flags: Flags of the training.
      options: Flags of the launcher.
    """

    def __init__(self, folder, way, *flags, options=()):
        self.model_dir, self.log_dir = folder / "m", folder / "logs"
        self._checkpoints = self.model_dir / ("" if way == "legacy" else "checkpoints")
        module, *own = PROGRAMS[way]
        self.launcher = subprocess.Popen(
            [
                *[sys.executable, "-m", "modern.launch", *SIZES[way], *options, "--noecho"],
                *[f"--log_dir={self.log_dir}", "--", sys.executable, "-m", module, *own],
                *["--job=linear_regression", f"--model_dir={self.model_dir}", "--noexport"],
                *["--save_checkpoints_secs=0", *flags],
            ],
            env=os.environ | trainings.ENV,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.launcher.kill()
        self.launcher.communicate()

    def saved(self):
        """Returns the step of the newest checkpoint, or -1."""
        return trainings.latest_step(self._checkpoints)

    def wait_for_step(self, step):
        until(lambda: self.saved() >= step or self.launcher.poll() is not None, 120)

    def pids(self):
        """Returns the process id of each running task."""
        found = {}
        for process in trainings.started_by(self.launcher):
            try:
                task = json.loads(process.environ()["TF_CONFIG"])["task"]
            except (KeyError, psutil.Error):
                continue
            found.setdefault(f"{task['type']}-{task['index']}", process.pid)
        return found

    def lose(self, name):
        """Kills a task by SIGKILL."""
        os.kill(self.pids()[name], signal.SIGKILL)

    def end(self, timeout=200):
        """Waits for the end. Returns the exit code and the launcher's output."""
        output, _ = self.launcher.communicate(timeout=timeout)
        return self.launcher.returncode, output

    def result(self):
        return trainings.result_of(self.model_dir)

    def failures(self):
        return json.loads((self.log_dir / "failures.json").read_text())

    def examples(self, name):
        """Returns the number of examples in the record of a task."""
        record = json.loads((self.model_dir / "tasks" / f"{name}.json").read_text())
        return sum(progress.Sample.from_json(record["samples"][-1]).examples)


STEPS = 600
IN_STEP = [*trainings.EXACT, f"--train_steps={STEPS}", "--save_checkpoints_steps=100"]


def test_synchronous_trainers_restart_together_and_lose_nothing(tmp_path):
    """The final weights equal those of an uninterrupted cluster, bit for bit."""
    way = "multi_worker_mirrored"
    (tmp_path / "whole").mkdir()
    with Job(tmp_path / "whole", way, *IN_STEP) as whole:
        assert whole.end()[0] == 0
    (tmp_path / "lost").mkdir()
    with Job(tmp_path / "lost", way, *IN_STEP, options=["--max_restarts=1"]) as job:
        job.wait_for_step(100)
        before = job.pids()
        job.lose("worker-1")
        code, output = job.end()
    assert code == 0, output
    assert not any(alive(pid) for pid in before.values())
    found = job.failures()
    assert (found["restarts"], found["root_cause"]) == (1, None)
    first = found["failures"][0]
    assert (first["task"], first["signal"]) == ("worker-1", "SIGKILL")
    assert first["restarted"] == ["worker-0", "worker-1"]
    result = job.result()
    # The second attempt continued at a checkpoint, and took exactly the steps that were left.
    assert result["global_step"] == STEPS
    assert result["steps"] in range(100, STEPS, 100)
    assert result["examples"] == dict.fromkeys(("worker-0", "worker-1"), result["steps"] * BATCH)
    ours, theirs = (trainings.weights_at(one.model_dir, STEPS) for one in (job, whole))
    assert trainings.distance(ours, theirs) == 0.0
    for name in ("worker-0.log", "worker-0.attempt-1.log", "worker-1.attempt-1.log"):
        assert (job.log_dir / name).exists()


LOST = [
    ("parameter_server", "worker-0", {"worker-0"}),
    # The coordinator fails with a ps, and restores the checkpoint when both are back.
    ("parameter_server", "ps-0", {"ps-0", "chief-0"}),
    ("parameter_server", "chief-0", {"chief-0"}),
    ("legacy", "worker-0", {"worker-0"}),
    ("legacy", "ps-0", {"ps-0"}),
    ("legacy", "chief-0", {"chief-0"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("way", "lost", "restarted"), LOST)
def test_a_lost_task_of_a_cluster_with_ps_restarts_alone(tmp_path, way, lost, restarted):
    steps = 6000 if way == "parameter_server" else 2000
    flags = [f"--train_steps={steps}", "--save_checkpoints_steps=100"]
    with Job(tmp_path, way, *flags, options=["--max_restarts=3"]) as job:
        job.wait_for_step(200)
        before = job.pids()
        job.lose(lost)
        code, output = job.end()
    assert code == 0, output
    assert not any(alive(pid) for pid in before.values())
    found = job.failures()
    first = found["failures"][0]
    assert (first["task"], first["restarted"]) == (lost, [lost])
    assert {name for entry in found["failures"] for name in entry["restarted"]} == restarted
    result = job.result()
    assert result["global_step"] >= steps
    assert result["eval"]["loss"] < 0.02


@pytest.mark.parametrize(
    "way", ["legacy", *(pytest.param(way, marks=pytest.mark.slow) for way in list(SIZES)[:2])]
)
def test_sigterm_leaves_a_checkpoint_of_the_last_step(tmp_path, way):
    flags = ["--train_steps=1000000", "--save_checkpoints_steps=300"]
    with Job(tmp_path, way, *flags) as job:
        job.wait_for_step(300)
        pids, before = job.pids(), job.saved()
        job.launcher.terminate()
        code, output = job.end(timeout=30)  # The time that Kubernetes gives.
    assert code == 143, output
    assert not any(alive(pid) for pid in pids.values())
    if way == "legacy":
        # An Estimator's step is one batch of one trainer.
        steps = (job.examples("chief-0") + job.examples("worker-0")) / BATCH
        assert job.saved() == steps
    elif way == "multi_worker_mirrored":
        assert job.saved() == job.examples("worker-0") / BATCH
    else:
        # The chief takes its samples in intervals, and the last checkpoint is newer than them.
        assert job.saved() >= job.examples("chief-0") / BATCH
    assert job.saved() > before
    assert not (job.log_dir / "failures.json").exists()


LISTENING = """
import sys
import psutil
import tensorflow as tf
from modern.cluster import ports
(port,) = ports.free_ports(1)
server = tf.distribute.Server({"ps": [f"127.0.0.1:{port}"]}, "ps", 0)
connections = psutil.net_connections("tcp")
print({c.laddr.ip for c in connections if c.laddr.port == port and c.status == "LISTEN"})
"""


def test_servers_listen_on_all_interfaces():
    """If this fails, TensorFlow has learned to listen on loopback. The docs say that it cannot."""
    done = subprocess.run(
        [sys.executable, "-c", LISTENING],
        env=core.whole_environment(os.environ | trainings.ENV),
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stdout in ("{'::'}\n", "{'0.0.0.0'}\n"), done.stderr
