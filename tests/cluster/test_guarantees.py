"""Tests of the engine's guarantees to each of its callers, by faults in real processes."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import psutil
import pytest
import tensorflow as tf

from modern.cluster import plan
from tests.cluster import guarded_program, raising_program, trainings
from tests.modern.cluster.processes import until

pytestmark = pytest.mark.cluster
CALLERS = ["job", "keras3", "ported", "bridged"]
LONG = 100_000


class Training:
    """A training in one process or a cluster, which starts at construction.

    Args:
      folder: Folder of its files.
      caller: Caller of the engine: "job", "keras3", "migrated", "ported" or "bridged".
      steps: Number of steps to train.
      first_nan: The batch from which on the labels are NaN.
      strategy: Name of the strategy.
      sizes: Number of tasks of each type in its cluster.
      ignoring: If true, it starts with SIGINT ignored, as a shell starts a background job.
      model_dirs: Model folder of each task, if the tasks do not share one.
      steps_per_execution: Number of steps in an execution. Only the apps take it.
    """

    def __init__(
        self,
        folder,
        caller,
        steps,
        first_nan=None,
        strategy="single",
        sizes=None,
        ignoring=False,
        model_dirs=None,
        steps_per_execution=1,
    ):
        self.caller, self.model_dir = caller, folder / "m"
        first_nan = guarded_program.NEVER if first_nan is None else first_nan
        given = [strategy, str(steps), str(first_nan), str(steps_per_execution)]
        tasks = plan.assign(sizes, "chief", evaluator=False) if sizes else [None]
        # The shell ignores SIGINT, and the program inherits that across `exec`.
        ignored = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"] if ignoring else []
        self.processes, self._lines, self._readers = [], [], []
        for number, task in enumerate(tasks):
            model_dir = model_dirs[number] if model_dirs else self.model_dir
            program = [sys.executable, "-m", "tests.cluster.guarded_program", caller]
            process = subprocess.Popen(
                [*ignored, *program, str(model_dir), *given],
                env=os.environ | trainings.ENV | ({"TF_CONFIG": task.tf_config} if task else {}),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            self.processes.append(process)
            # A thread reads the output, since a full pipe would block the process.
            self._readers.append(threading.Thread(target=self._read, args=[process.stdout]))
            self._readers[-1].start()

    def _read(self, stream):
        with stream:
            self._lines.extend(stream)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
        for reader in self._readers:
            reader.join()

    def codes(self, timeout=120):
        """Returns the exit codes, after all tasks have ended."""
        return [process.wait(timeout) for process in self.processes]

    def said(self):
        """Returns the output of all tasks so far."""
        return "".join(self._lines)

    def _state(self):
        bridged = self.caller == "bridged"
        folder = self.model_dir if bridged else self.model_dir / "checkpoints"
        return tf.train.latest_checkpoint(str(folder))

    def saved(self):
        """Returns the step of the latest checkpoint, or -1 before the first."""
        path = self._state()
        return int(path.rpartition("-")[2]) if path else -1

    def is_finite(self):
        """Returns true if the latest checkpoint has no NaN."""
        reader = tf.train.load_checkpoint(self._state())
        values = [reader.get_tensor(name) for name in reader.get_variable_to_shape_map()]
        floats = [value for value in values if np.issubdtype(np.asarray(value).dtype, np.floating)]
        assert floats
        return all(np.isfinite(value).all() for value in floats)


CLUSTERS = {
    "single": None,
    "multi_worker_mirrored": {"worker": 2},
    "parameter_server": {"chief": 1, "worker": 1, "ps": 1},
}
# The engine is the same for all callers, so `make test` runs only one of them with each strategy.
USUAL = {("job", "single"), ("ported", "multi_worker_mirrored"), ("bridged", "parameter_server")}
EVERYWHERE = [
    pytest.param(caller, way, marks=[] if (caller, way) in USUAL else pytest.mark.slow)
    for way in CLUSTERS
    for caller in CALLERS
]


@pytest.mark.parametrize(("caller", "way"), EVERYWHERE)
def test_nan_ends_the_training_and_keeps_the_last_good_checkpoint(caller, way, tmp_path):
    # Workers run some twenty steps ahead of the coordinator, which saves every ten.
    first_nan = 200 if way == "parameter_server" else 25
    with Training(tmp_path, caller, LONG, first_nan, way, CLUSTERS[way]) as training:
        if way == "parameter_server":  # The others serve until the chief is gone for long.
            assert training.processes[0].wait(120) == 1, training.said()
        else:
            assert set(training.codes()) == {1}, training.said()
        assert "NaN at step" in training.said()
        assert 0 <= training.saved() <= first_nan * (2 if way == "parameter_server" else 1)
        assert training.is_finite()


# Executions of several steps, and NaN in the first of them.
EARLY = [
    ("job", "parameter_server", 0, 10),
    ("job", "multi_worker_mirrored", 0, 10),
    ("migrated", "parameter_server", 0, 1),
    ("migrated", "multi_worker_mirrored", 27, 5),
    ("migrated", "parameter_server", 205, 10),
    ("ported", "parameter_server", 0, 1),
    ("ported", "multi_worker_mirrored", 0, 1),
    ("bridged", "parameter_server", 0, 1),
    ("bridged", "multi_worker_mirrored", 0, 1),
]


@pytest.mark.parametrize(
    ("caller", "way", "first_nan", "steps_per_execution"),
    [pytest.param(*one, marks=[] if one == EARLY[0] else pytest.mark.slow) for one in EARLY],
)
def test_nan_in_the_first_step_and_in_longer_executions(
    caller, way, first_nan, steps_per_execution, tmp_path
):
    with Training(
        tmp_path, caller, LONG, first_nan, way, CLUSTERS[way],
        steps_per_execution=steps_per_execution,
    ) as training:  # fmt: skip
        assert training.processes[0].wait(120) == 1, training.said()
        assert "NaN at step" in training.said()
        if first_nan:
            assert 0 <= training.saved() <= first_nan
        assert training.saved() < 0 or training.is_finite()


@pytest.mark.parametrize("place", [pytest.param("step", marks=pytest.mark.slow), "callback"])
@pytest.mark.parametrize(
    "caller", ["ported", *(pytest.param(one, marks=pytest.mark.slow) for one in ("job", "bridged"))]
)
def test_the_users_error_ends_a_coordinator_with_its_traceback(caller, place, tmp_path):
    """The chief saves at the moment of the error."""
    tasks = plan.assign(CLUSTERS["parameter_server"], "chief", evaluator=False)
    program = [sys.executable, "-m", "tests.cluster.raising_program", caller, place]
    processes = [
        subprocess.Popen(
            [*program, str(tmp_path)],
            env=os.environ | trainings.ENV | {"TF_CONFIG": task.tf_config},
            stderr=subprocess.PIPE if task.task_type == "chief" else subprocess.DEVNULL,
            text=True,
        )
        for task in tasks
    ]
    try:
        said = processes[0].communicate(timeout=120)[1]
        assert processes[0].returncode == 1, said
        assert raising_program.TEXT in said
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize(("caller", "way"), EVERYWHERE)
def test_sigterm_saves_where_sigint_is_ignored(caller, way, tmp_path):
    with Training(tmp_path, caller, LONG, None, way, CLUSTERS[way], ignoring=True) as training:
        until(lambda: training.saved() > 10, 120)
        for process in training.processes:
            process.send_signal(signal.SIGINT)
        seen = training.saved()
        until(lambda: training.saved() > seen, 60)  # The training goes on.
        training.processes[0].send_signal(signal.SIGTERM)
        assert training.processes[0].wait(60) == 143, training.said()  # 128 + SIGTERM.
        assert training.saved() > seen
        assert training.is_finite()


@pytest.mark.parametrize(
    ("caller", "way"),
    [
        pytest.param(
            caller,
            way,
            marks=[] if (caller, way) in {("ported", "single"), ("job", "parameter_server")}
            else pytest.mark.slow,
        )
        for caller in CALLERS
        for way in ("single", "parameter_server")
    ],
)  # fmt: skip
def test_a_save_that_fails_for_a_while_is_made_up_for(caller, way, tmp_path):
    """The training saves again after the disk was full, as simulated by a limit on file size."""
    with Training(tmp_path, caller, LONG, None, way, CLUSTERS[way]) as training:
        until(lambda: training.saved() > 10, 120)
        # A parameter server writes the weights, and is the last process. A bridged model's chief
        # reads all values and writes an Estimator's checkpoint.
        writer = 0 if caller == "bridged" else -1
        process = psutil.Process(training.processes[writer].pid)
        before = process.rlimit(psutil.RLIMIT_FSIZE)
        process.rlimit(psutil.RLIMIT_FSIZE, (64, before[1]))
        seen = training.saved()
        until(lambda: "No checkpoint could be written at step" in training.said(), 60)
        process.rlimit(psutil.RLIMIT_FSIZE, before)
        until(lambda: training.saved() > seen + 20, 60)
        training.processes[0].send_signal(signal.SIGTERM)
        assert training.processes[0].wait(60) == 143, training.said()


@pytest.mark.slow
@pytest.mark.parametrize("caller", CALLERS)
def test_workers_that_restored_different_steps_refuse_to_train(caller, tmp_path):
    """The workers do not share a folder, and one of them has an older checkpoint."""
    folders = [tmp_path / "m", tmp_path / "other"]
    synchronous = "multi_worker_mirrored", CLUSTERS["multi_worker_mirrored"]
    for folder, steps in zip(folders, (20, 10), strict=True):
        alone = Training(tmp_path, caller, steps, model_dirs=[folder])
        with alone:
            assert alone.codes() == [0], alone.said()
    with Training(tmp_path, caller, 30, None, *synchronous, model_dirs=folders) as training:
        assert 0 not in training.codes(), training.said()
        assert "begin at different steps, 10 to 20" in training.said()
