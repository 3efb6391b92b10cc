"""Tests of `legacy.train` when tasks are lost, stopped, ended by a signal or started again."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.cluster import plan
from tests.cluster import trainings
from tests.modern.cluster.processes import until

pytestmark = pytest.mark.cluster

PS = {"chief": 1, "worker": 1, "ps": 1}
RING = {"worker": 2}
COLLECTIVE = "--train_distribute=collective_all_reduce"
TRAIN = [sys.executable, "-m", "legacy.train", "--job=linear_regression", "--noexport"]
ONLY_AT_END = ["--save_checkpoints_steps=0", "--save_checkpoints_secs=0"]
FOREVER = "--train_steps=1000000"
STOPPED_AFTER = "--stall_timeout=8"


class Tasks:
    """The tasks of a cluster, which can be started, signalled and waited for one by one.

    Args:
      folder: Folder of their logs and of model_dir.
      sizes: Number of tasks of each type.
      *flags: Flags of `legacy.train`.
    """

    def __init__(self, folder, sizes, *flags):
        self.model_dir = folder / "model"
        self._folder, self._flags = folder, flags
        assigned = plan.assign(sizes, "chief", evaluator=False)
        self._assigned = {f"{task.task_type}-{task.index}": task for task in assigned}
        self._processes = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._processes.values():
            process.kill()
            process.wait()

    def start(self, *names):
        """Starts tasks, or all of them if no name is given."""
        for name in names or self._assigned:
            with open(self._folder / f"{name}.log", "w") as log:
                self._processes[name] = subprocess.Popen(
                    [*TRAIN, f"--model_dir={self.model_dir}", *self._flags],
                    env=os.environ | trainings.ENV | {"TF_CONFIG": self._assigned[name].tf_config},
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )

    def send(self, signum, *names):
        """Sends a signal to tasks, or to all of them if no name is given."""
        for name in names or self._processes:
            self._processes[name].send_signal(signum)

    def codes(self, *names, timeout=100):
        """Returns the exit codes of tasks, or of all of them, after they have ended."""
        try:
            return [self._processes[name].wait(timeout) for name in names or self._processes]
        except subprocess.TimeoutExpired as error:
            raise AssertionError(self.said(*self._processes)) from error

    def log(self, name):
        """Returns the output of a task since its last start."""
        return (self._folder / f"{name}.log").read_text()

    def said(self, *names):
        """Returns the end of the output of tasks."""
        return "\n".join(self.log(name)[-3000:] for name in names)

    def place(self, name):
        """Returns the name and the address of a task, as messages have them."""
        return f"{name} at {self._assigned[name].address}"

    def saved(self):
        """Returns the step of the latest checkpoint, or -1 without one."""
        path = tf.train.latest_checkpoint(str(self.model_dir))
        return int(path.rpartition("-")[2]) if path else -1

    def wait_until_training(self, *names):
        """Waits until tasks have made steps. Their logs say so after five seconds of training."""
        until(lambda: all("examples/s" in self.said(name) for name in names), 100)


def result(tasks):
    return json.loads((tasks.model_dir / "result.json").read_text())


@pytest.mark.parametrize(
    ("sizes", "flags"), [(PS, []), pytest.param(RING, [COLLECTIVE], marks=pytest.mark.slow)]
)
def test_a_finished_training_is_run_again(tmp_path, sizes, flags):
    with Tasks(tmp_path, sizes, "--train_steps=200", *ONLY_AT_END, *flags) as tasks:
        tasks.start()
        assert set(tasks.codes()) == {0}, tasks.said(*tasks._processes)
        first = result(tasks)
        assert first["eval"]["loss"] < 1  # Untrained weights have a loss of about 30.
        assert tasks.saved() == first["global_step"]
        tasks.start()
        assert set(tasks.codes(timeout=55)) == {0}, tasks.said(*tasks._processes)
        chief = "chief-0" if "chief" in sizes else "worker-0"
        assert "nothing left to train" in tasks.said(chief)
        assert "No record of" not in tasks.said(chief)
        assert result(tasks) == first


@pytest.mark.slow
def test_a_worker_without_samples_is_counted(tmp_path):
    with Tasks(tmp_path, PS, "--train_steps=200") as tasks:
        tasks.start("chief-0", "ps-0")
        until(lambda: tasks.saved() >= 200, 100)
        tasks.start("worker-0")  # The chief waits for its record.
        assert tasks.codes() == [0, 0, 0], tasks.said("chief-0", "worker-0")
        assert result(tasks)["examples"] == {"chief-0": 200 * 32, "worker-0": 0}


@pytest.mark.slow
def test_tasks_that_return_after_the_end(tmp_path):
    with Tasks(tmp_path, PS, "--train_steps=200") as tasks:
        tasks.start("chief-0", "ps-0", "worker-0")
        assert tasks.codes() == [0, 0, 0], tasks.said("chief-0", "worker-0")
        first = result(tasks)
        for name in ("ps-0", "worker-0"):  # They have no chief.
            tasks.start(name)
            assert tasks.codes(name, timeout=60) == [0]
        assert "Nothing is left to train" in tasks.said("ps-0")
        (tasks.model_dir / "result.json").unlink()
        tasks.start("chief-0")  # It has no ps.
        assert tasks.codes("chief-0", timeout=60) == [0]
        assert result(tasks)["global_step"] == first["global_step"]
        assert result(tasks)["eval"] == first["eval"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "missing"), [("chief-0", "ps-0"), ("worker-0", "ps-0"), ("ps-0", "chief-0")]
)
def test_a_task_that_is_alone_gives_up_and_names_the_missing_one(tmp_path, name, missing):
    with Tasks(tmp_path, PS, "--stall_timeout=2") as tasks:
        tasks.start(name)
        assert tasks.codes(timeout=60) == [1]
        last = tasks.said(name).splitlines()[-1]
        assert tasks.place(missing) in last, last
        assert "Waited 2 s" in last


@pytest.mark.parametrize(
    ("sizes", "flags"), [(PS, []), pytest.param(RING, [COLLECTIVE], marks=pytest.mark.slow)]
)
def test_sigterm_to_each_task_saves(tmp_path, sizes, flags):
    chief = "chief-0" if "chief" in sizes else "worker-0"
    with Tasks(tmp_path, sizes, FOREVER, *flags) as tasks:
        tasks.start()
        tasks.wait_until_training(chief)
        assert tasks.saved() == 0
        tasks.send(signal.SIGTERM)
        assert set(tasks.codes(timeout=40)) == {143}, tasks.said(*tasks._processes)
        assert tasks.saved() > 0, tasks.said(chief)


@pytest.mark.slow
def test_a_chief_that_is_ended_alone_resumes_the_training(tmp_path):
    with Tasks(tmp_path, PS, "--train_steps=5000", "--verbosity=0") as tasks:
        tasks.start()
        tasks.wait_until_training("chief-0")
        tasks.send(signal.SIGTERM, "chief-0")
        assert tasks.codes("chief-0", timeout=30) == [143]
        saved = tasks.saved()
        assert 0 < saved < 5000
        tasks.start("chief-0")
        assert tasks.codes() == [0, 0, 0], tasks.said("chief-0", "worker-0", "ps-0")
        assert tasks.saved() >= 5000
        restored = f"Restoring parameters from {tmp_path}/model/model.ckpt-{saved}"
        assert restored in tasks.log("chief-0")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "flags", "name", "others"),
    [
        (PS, [], "ps-0", ["chief-0", "worker-0"]),
        (PS, [], "chief-0", ["ps-0"]),
        (RING, [COLLECTIVE], "worker-1", ["worker-0"]),
    ],
)
def test_a_task_that_is_stopped_is_named_and_ends_the_others(tmp_path, sizes, flags, name, others):
    chief = "chief-0" if "chief" in sizes else "worker-0"
    with Tasks(tmp_path, sizes, FOREVER, STOPPED_AFTER, *flags) as tasks:
        tasks.start()
        tasks.wait_until_training(chief)
        tasks.send(signal.SIGSTOP, name)
        assert set(tasks.codes(*others, timeout=60)) == {1}
        for other in others:
            assert tasks.place(name) in tasks.said(other)


@pytest.mark.slow
def test_the_chief_does_not_wait_for_a_worker_that_is_stopped(tmp_path):
    with Tasks(tmp_path, PS, "--train_steps=4000", STOPPED_AFTER) as tasks:
        tasks.start()
        tasks.wait_until_training("chief-0")
        tasks.send(signal.SIGSTOP, "worker-0")
        assert tasks.codes("chief-0", "ps-0", timeout=200) == [0, 0], tasks.said("chief-0")
        assert tasks.place("worker-0") in tasks.said("chief-0")
        assert result(tasks)["global_step"] >= 4000
        assert pathlib.Path(result(tasks)["checkpoint"] + ".index").exists()
