"""Tests of trainings that are interrupted or killed and resume, also under another strategy.

One training goes through all of it: two trainers in step, a parameter server, a single process.
"""

import os
import signal
import subprocess
import sys

import pytest

from modern.cluster import plan
from tests.cluster import trainings
from tests.modern.cluster.processes import alive, until

pytestmark = pytest.mark.cluster
TOLERANCE = 5e-6
SYNCHRONOUS_STEPS, SERVED_STEPS = 800, 3000


def launch(folder, model_dir, strategy, *flags, sizes=("--workers=2",)):
    """Starts the launcher, as a user does."""
    return subprocess.Popen(
        [
            *[sys.executable, "-m", "modern.launch", *sizes, f"--log_dir={folder / 'logs'}"],
            *["--overwrite_logs", "--", *trainings.TRAIN, f"--strategy={strategy}"],
            *[f"--model_dir={model_dir}", *flags],
        ],
        env=os.environ | trainings.ENV,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def interrupt(launcher, model_dir, step):
    """Presses Ctrl-C after a checkpoint of `step`. Returns (exit code, output, process ids)."""
    try:
        trainings.wait_for_step(model_dir, step)
        pids = [process.pid for process in trainings.started_by(launcher)]
        launcher.send_signal(signal.SIGINT)
        output, _ = launcher.communicate(timeout=60)
    finally:
        launcher.kill()
        launcher.wait()
    return launcher.returncode, output, pids


def to_the_end(launcher):
    output, _ = launcher.communicate(timeout=120)
    assert launcher.returncode == 0, output
    return output


def nothing_left(pids, model_dir):
    for pid in pids:
        until(lambda pid=pid: not alive(pid))
    assert trainings.unfinished_files(model_dir) == []


SYNCHRONOUS = [
    *trainings.EXACT, f"--train_steps={SYNCHRONOUS_STEPS}", "--save_checkpoints_steps=100",
    "--save_checkpoints_secs=0", "--noexport",
]  # fmt: skip


@pytest.fixture(scope="module")
def synchronous(tmp_path_factory):
    """Returns a training by two trainers, interrupted by Ctrl-C and resumed by the same command."""
    folder = tmp_path_factory.mktemp("synchronous")
    model_dir = folder / "m"
    code, output, pids = interrupt(
        launch(folder, model_dir, "multi_worker_mirrored", *SYNCHRONOUS), model_dir, 100
    )
    assert code == 130, output  # 128 + SIGINT.
    assert len(pids) >= 2
    nothing_left(pids, model_dir)
    assert not (model_dir / "result.json").exists()
    saved = trainings.steps_saved(model_dir)[-1]
    to_the_end(launch(folder, model_dir, "multi_worker_mirrored", *SYNCHRONOUS))
    return model_dir, saved, trainings.result_of(model_dir)


def test_synchronous_workers_continue_where_they_were(synchronous):
    _, saved, result = synchronous
    assert 100 <= saved < SYNCHRONOUS_STEPS
    assert (result["steps"], result["global_step"]) == (
        SYNCHRONOUS_STEPS - saved,
        SYNCHRONOUS_STEPS,
    )
    own = (SYNCHRONOUS_STEPS - saved) * 32
    assert result["examples"] == {"worker-0": own, "worker-1": own}


def test_interrupted_equals_uninterrupted(synchronous, tmp_path):
    """The weights equal those of an uninterrupted process with the same order of examples."""
    trainings.alone(
        tmp_path,
        *trainings.EXACT,
        f"--train_steps={SYNCHRONOUS_STEPS}",
        "--batch_size=64",
        "--noexport",
    )
    ours = trainings.weights_at(synchronous[0], SYNCHRONOUS_STEPS)
    assert trainings.distance(ours, trainings.weights_at(tmp_path, SYNCHRONOUS_STEPS)) <= TOLERANCE


SERVED = [
    f"--train_steps={SERVED_STEPS}", "--save_checkpoints_steps=200", "--noexport",
    "--strategy=parameter_server", "--steps_per_epoch=1000",
]  # fmt: skip


def by_hand(model_dir, log_dir):
    """Starts a cluster as in four terminals, with a TF_CONFIG for each task."""
    tasks = plan.assign({"chief": 1, "worker": 2, "ps": 1}, "chief", evaluator=False)
    for task in tasks:
        with open(log_dir / f"{task.task_type}-{task.index}.log", "w") as log:
            yield subprocess.Popen(
                [*trainings.TRAIN, f"--model_dir={model_dir}", *SERVED],
                env=os.environ | trainings.ENV | {"TF_CONFIG": task.tf_config},
                stdout=log,
                stderr=subprocess.STDOUT,
            )


@pytest.fixture(scope="module")
def served(synchronous, tmp_path_factory):
    """Returns the synchronous training, continued by parameter servers and once interrupted."""
    model_dir = synchronous[0]
    log_dir = tmp_path_factory.mktemp("terminals")
    tasks = list(by_hand(model_dir, log_dir))
    try:
        trainings.wait_for_step(model_dir, SYNCHRONOUS_STEPS + 200)
        for task in tasks:
            task.send_signal(signal.SIGINT)
        codes = [task.wait(timeout=30) for task in tasks]
    finally:
        for task in tasks:
            task.kill()
            task.wait()
    logs = "\n".join(path.read_text() for path in log_dir.iterdir())
    saved = trainings.steps_saved(model_dir)[-1]
    nothing_left([], model_dir)
    command = launch(
        log_dir, model_dir, "parameter_server", *SERVED,
        sizes=("--workers=2", "--ps=1", "--chief"),
    )  # fmt: skip
    to_the_end(command)
    return model_dir, codes, logs, saved, trainings.result_of(model_dir)


def test_the_servers_outlive_ctrl_c_until_the_chief_has_saved(served):
    _, codes, logs, saved, _ = served
    assert codes == [130] * 4, logs
    assert SYNCHRONOUS_STEPS + 200 <= saved < SERVED_STEPS
    assert "Traceback" not in logs


def test_the_parameter_server_continues_what_the_ring_saved(served):
    _, _, _, saved, result = served
    assert result["way"] == "parameter_server"
    assert result["global_step"] == SERVED_STEPS
    # Workers go on while the chief saves, so the saved weights may be some steps past their name.
    assert SERVED_STEPS - saved - 100 <= result["steps"] <= SERVED_STEPS - saved
    assert sum(result["examples"].values()) == result["steps"] * 32
    assert result["eval"]["loss"] < 0.011


def test_alone_continues_what_the_parameter_server_saved(served):
    model_dir = served[0]
    trainings.alone(model_dir, f"--train_steps={SERVED_STEPS + 10}", "--noexport")
    result = trainings.result_of(model_dir)
    assert (result["way"], result["steps"]) == ("single", 10)
    assert result["eval"]["loss"] < 0.011


def test_a_killed_worker_ends_the_job(tmp_path):
    launcher = launch(tmp_path, tmp_path / "m", "multi_worker_mirrored", "--train_steps=1000000")
    try:
        record = tmp_path / "m/tasks/worker-1.json"
        until(record.exists, 60)
        pids = [process.pid for process in trainings.started_by(launcher)]
        victim = next(
            child
            for child in trainings.started_by(launcher)
            if '"index": 1' in child.environ().get("TF_CONFIG", "")
        )
        victim.kill()
        output, _ = launcher.communicate(timeout=60)
    finally:
        launcher.kill()
        launcher.wait()
    assert launcher.returncode == 128 + signal.SIGKILL, output
    assert "worker-1 failed first: killed by SIGKILL (9)" in output
    for pid in pids:
        until(lambda pid=pid: not alive(pid))


def test_a_killed_process_goes_on_from_its_backup(tmp_path):
    """A killed training with backups every 50 steps ends as an uninterrupted one does."""
    flags = [*trainings.EXACT, "--train_steps=2000", "--steps_per_execution=10", "--noexport"]
    backup = [*flags, "--backup=45", "--save_checkpoints_steps=120", "--steps_per_epoch=1000"]
    # Backups happen after executions of ten steps, so an interval of 45 means every 50 steps.
    killed = subprocess.Popen(
        [*trainings.TRAIN, f"--model_dir={tmp_path / 'killed'}", *backup],
        env=os.environ | trainings.ENV,
    )
    try:
        folder = tmp_path / "killed" / "backup"
        # The index of a backup exists before it is whole. The one before it is whole then.
        until(lambda: [p for p in folder.glob("*.index") if int(p.stem[5:]) >= 200], 60)
    finally:
        killed.kill()
        killed.wait()
    trainings.alone(tmp_path / "killed", *backup)
    trainings.alone(tmp_path / "whole", *flags)
    result = trainings.result_of(tmp_path / "killed")
    assert result["global_step"] == 2000
    assert 0 < result["steps"] <= 2000 - 150
    assert result["examples"] == {"worker-0": result["steps"] * 32}
    ours, theirs = (trainings.weights_at(tmp_path / name, 2000) for name in ("killed", "whole"))
    assert trainings.distance(ours, theirs) <= TOLERANCE
    assert not (tmp_path / "killed" / "backup").exists()
