"""Runs `modern.train`, alone or as a cluster, and reads its results."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import psutil

from modern.jobs import linear_regression
from modern.launcher import local
from modern.model_files import checkpoints, rotation
from tests.cluster import core
from tests.modern.cluster.processes import until

ROOT = pathlib.Path(__file__).parents[2]
_PATHS = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
ENV = {"PYTHONPATH": core.environment({"PYTHONPATH": os.pathsep.join(_PATHS)})["PYTHONPATH"]}
TRAIN = [sys.executable, "-m", "modern.train", "--job=linear_regression"]
ALTERED = [sys.executable, str(pathlib.Path(__file__).with_name("altered_train.py"))]
# Makes results comparable, and keeps optional work out of the training.
EXACT = ["--deterministic", "--intra_op_threads=1", "--inter_op_threads=2"]


def alone(model_dir, *flags, program=TRAIN, timeout=120, **popen):
    """Trains in one process to its end. Fails if the exit code is not 0."""
    done = subprocess.run(
        [*program, f"--model_dir={model_dir}", *flags],
        env=os.environ | ENV,
        capture_output=True,
        text=True,
        timeout=timeout,
        **popen,
    )
    assert done.returncode == 0, done.stderr
    return done


def cluster(tmp_path, model_dir, *flags, program=TRAIN, strategy="multi_worker_mirrored", **sizes):
    """Returns a cluster on this machine, not started yet. Its logs go to TMP_PATH/logs."""
    return local.LocalCluster(
        [*program, f"--strategy={strategy}", f"--model_dir={model_dir}", *flags],
        log_dir=tmp_path / "logs",
        overwrite_logs=True,
        env=ENV,
        **({"workers": 2} | sizes),
    )


def to_the_end(tasks, timeout=120):
    """Runs a cluster. All its tasks must end by themselves with exit code 0."""
    with tasks:
        result = tasks.wait(timeout)
    assert result.exit_code == 0, result.last_lines
    assert {task.exit_code for task in result.tasks} == {0}
    assert not any(task.ended_by_launcher for task in result.tasks), logs(tasks)
    return result


def logs(tasks):
    """Returns the output of all tasks."""
    return "\n".join(path.read_text() for path in sorted(tasks.log_dir.iterdir()))


def result_of(model_dir):
    """Reads result.json."""
    return json.loads((pathlib.Path(model_dir) / "result.json").read_text())


def steps_saved(model_dir):
    """Returns the steps that have a checkpoint."""
    folder = pathlib.Path(model_dir) / "checkpoints"
    return sorted(int(path.stem.partition("-")[2]) for path in folder.glob("ckpt-*.index"))


def weights_at(model_dir, step):
    """Returns kernel and bias of linear_regression in a checkpoint."""
    model = linear_regression.build_model()
    path = str(pathlib.Path(model_dir) / "checkpoints" / f"ckpt-{step}")
    assert checkpoints.restore_for_evaluation(model, path) == step
    return model.get_weights()


def distance(one, other):
    """Returns the largest difference between two lists of arrays."""
    return max(float(np.abs(a - b).max()) for a, b in zip(one, other, strict=True))


def unfinished_files(model_dir):
    """Returns files of interrupted writes: temporary ones, and checkpoint data without an index."""
    folder = pathlib.Path(model_dir)
    paths = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    named = [p for p in paths if "temp" in str(p) or any(x.startswith(".") for x in p.parts)]
    indexed = {p.with_suffix("") for p in paths if p.suffix == ".index"}
    lone = [p for p in paths if ".data-" in p.name and p.with_suffix("") not in indexed]
    return named + lone


def started_by(launcher):
    """Returns the processes of a launcher's tasks."""
    started = psutil.Process(launcher.pid).children(recursive=True)
    return [process for process in started if process.status() != "zombie"]


def wait_for_step(model_dir, step, seconds=90):
    """Waits until a checkpoint of this step or a later one is whole."""
    return until(lambda: latest_step(pathlib.Path(model_dir, "checkpoints")) >= step, seconds)


def latest_step(folder):
    """Returns the step of the latest whole checkpoint, or -1.

    The folder's `checkpoint` file names a checkpoint after it is whole. Its index exists before.
    """
    path = rotation.latest(str(folder))
    step = rotation.step_of(path) if path else None
    return -1 if step is None else step
