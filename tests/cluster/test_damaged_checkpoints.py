"""Tests of trainings that continue in a folder whose latest checkpoint is damaged."""

import os
import pathlib
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.model_files import rotation
from tests.cluster import trainings

pytestmark = pytest.mark.cluster

SYNCHRONOUS = {"workers": 2}
SERVERS = {"chief": True, "workers": 1, "ps": 1}
GUARDED = [sys.executable, "-m", "tests.cluster.guarded_program"]
LEGACY = [
    sys.executable, "-m", "legacy.train", "--job=linear_regression", "--save_checkpoints_steps=10",
    "--keep_checkpoint_max=1000", "--noexport",
]  # fmt: skip


def modern(caller, strategy):
    return lambda folder, steps: [*GUARDED, caller, str(folder), strategy, str(steps)]


def legacy(*flags):
    return lambda folder, steps: [
        *LEGACY, f"--model_dir={folder}", f"--train_steps={steps}", *flags,
    ]  # fmt: skip


# The command of each way, and the tasks of its cluster.
WAYS = {
    "job": (modern("job", "single"), None),
    "job, multi_worker_mirrored": (modern("job", "multi_worker_mirrored"), SYNCHRONOUS),
    "job, parameter_server": (modern("job", "parameter_server"), SERVERS),
    "ported": (modern("ported", "single"), None),
    "ported, multi_worker_mirrored": (modern("ported", "multi_worker_mirrored"), SYNCHRONOUS),
    "ported, parameter_server": (modern("ported", "parameter_server"), SERVERS),
    "bridged": (modern("bridged", "single"), None),
    "bridged, multi_worker_mirrored": (modern("bridged", "multi_worker_mirrored"), SYNCHRONOUS),
    "bridged, parameter_server": (modern("bridged", "parameter_server"), SERVERS),
    "legacy": (legacy(), None),
    "legacy, chief and worker": (legacy(), SERVERS),
    "legacy, collective_all_reduce": (
        legacy("--train_distribute=collective_all_reduce"),
        SYNCHRONOUS,
    ),
}
# All ways find the checkpoint by the same code, so `make test` runs one of each kind.
USUAL = {"job", "legacy, chief and worker"}
EVERY_WAY = [
    pytest.param(name, marks=[] if name in USUAL else pytest.mark.slow, id=name) for name in WAYS
]


class Folder:
    """The model_dir of a training in some way.

    Args:
      way: A key of WAYS.
      path: The folder for the model_dir and the logs.
    """

    def __init__(self, way, path):
        self._command, self._tasks = WAYS[way]
        self._path, self.model_dir = path, path / "m"
        nested = way.startswith(("job", "ported"))
        self.checkpoints = self.model_dir / "checkpoints" if nested else self.model_dir

    def train(self, steps):
        """Trains up to a step. Returns the exit code and the output of all tasks."""
        command = self._command(self.model_dir, steps)
        if self._tasks is None:
            done = subprocess.run(
                command,
                env=os.environ | trainings.ENV,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
            )
            return done.returncode, done.stdout
        tasks = trainings.local.LocalCluster(
            command,
            log_dir=self._path / "logs",
            overwrite_logs=True,
            env=trainings.ENV,
            **self._tasks,
        )
        with tasks:
            result = tasks.wait(150)
        return result.exit_code, trainings.logs(tasks)

    def latest(self):
        """Returns the step of the latest checkpoint."""
        return rotation.step_of(rotation.latest(str(self.checkpoints)))

    def files_of_latest(self):
        """Returns the files of the latest checkpoint: its index, then its data."""
        path = pathlib.Path(tf.train.latest_checkpoint(str(self.checkpoints)))
        data = sorted(path.parent.glob(f"{path.name}.data-*"))
        return [path.parent / f"{path.name}.index", *data]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_continues_from_the_newest_whole_checkpoint(way, tmp_path):
    folder = Folder(way, tmp_path)
    for steps in (30, 40):  # A fast training on parameter servers saves its last step only.
        code, output = folder.train(steps)
        assert code == 0, output
        if len(list(folder.checkpoints.glob("*.index"))) > 1:
            break
    step, whole = folder.latest(), sorted(folder.checkpoints.iterdir())
    index, *data = folder.files_of_latest()
    os.truncate(data[-1], 10)
    code, output = folder.train(step + 10)
    assert code == 0, output
    assert str(data[-1]) in output
    assert "Continuing from " in output
    assert folder.latest() >= step + 10
    # The damaged checkpoint and the older ones stay.
    assert {path.name for path in whole} <= {path.name for path in folder.checkpoints.iterdir()}


@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_does_not_begin_anew_beside_damaged_checkpoints(way, tmp_path):
    folder = Folder(way, tmp_path)
    code, output = folder.train(10)
    assert code == 0, output
    for index in folder.checkpoints.glob("*.index"):
        os.truncate(index, 0)
    before = {path: path.read_bytes() for path in folder.checkpoints.glob("*ckpt-*")}
    code, output = folder.train(20)
    assert code == 2, output
    assert "No checkpoint in " in output
    assert before == {path: path.read_bytes() for path in folder.checkpoints.glob("*ckpt-*")}
