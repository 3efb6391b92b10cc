"""Tests of tasks whose cluster does not come: each program ends with one line."""

import os
import pathlib
import subprocess
import sys

import pytest

from modern.cluster import plan
from modern.launcher import local
from tests.cluster import trainings

pytestmark = pytest.mark.cluster
SYNCHRONOUS = {"worker": 2}
SERVED = {"chief": 1, "worker": 1, "ps": 1}
PROGRAMS = {
    "job": ["modern.train", "--job=linear_regression", "--train_steps=20", "--noexport"],
    "legacy": ["legacy.train", "--job=linear_regression", "--train_steps=20", "--noexport"],
    "ported": ["tests.cluster.guarded_program", "ported"],
    "bridged": ["tests.cluster.guarded_program", "bridged"],
}
FLAGS = {
    "job": lambda model_dir, way: [f"--model_dir={model_dir}", f"--strategy={way}"],
    "legacy": lambda model_dir, way: [
        f"--model_dir={model_dir}",
        "--train_distribute=collective_all_reduce",
    ],
}
ALONE = [
    ("job", "multi_worker_mirrored", SYNCHRONOUS, "worker-1", "worker-0"),
    ("ported", "multi_worker_mirrored", SYNCHRONOUS, "worker-1", "worker-0"),
    ("ported", "parameter_server", SERVED, "chief-0", "worker-0"),
    ("bridged", "multi_worker_mirrored", SYNCHRONOUS, "worker-1", "worker-0"),
    ("legacy", "collective_all_reduce", SYNCHRONOUS, "worker-1", "worker-0"),
]


def command(program, model_dir, way):
    """Returns the module and arguments of a program."""
    flags = FLAGS.get(program, lambda model_dir, way: [str(model_dir), way, "20"])
    return [*PROGRAMS[program], *flags(model_dir, way)]


def alone(program, model_dir, way, sizes, name):
    """Runs one task of a cluster without the others, and returns (exit code, output)."""
    tasks = plan.assign(sizes, "chief", evaluator=False)
    (task,) = [one for one in tasks if f"{one.task_type}-{one.index}" == name]
    program_file = pathlib.Path(__file__).with_name("impatient.py")
    ended = subprocess.run(
        [sys.executable, str(program_file), *command(program, model_dir, way)],
        env=os.environ | trainings.ENV | {"TF_CONFIG": task.tf_config},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("program", "way", "sizes", "name", "other"), ALONE, ids=[f"{one[0]}-{one[1]}" for one in ALONE]
)
def test_a_task_gives_up_the_others_in_one_line(program, way, sizes, name, other, tmp_path):
    code, said = alone(program, tmp_path / "m", way, sizes, name)
    assert code == 1, said
    assert f"{name} has waited 4 s for {other} at localhost:" in said
    assert said.count("\n") == 1, said


@pytest.mark.parametrize("program", ["job", "ported", "legacy"])
def test_a_worker_that_returns_after_the_end_ends(program, tmp_path):
    way = "multi_worker_mirrored"
    with local.LocalCluster(
        [sys.executable, "-m", *command(program, tmp_path / "m", way)],
        workers=2,
        log_dir=tmp_path / "logs",
        env=trainings.ENV,
    ) as tasks:
        assert tasks.wait(120).exit_code == 0, trainings.logs(tasks)
    code, said = alone(program, tmp_path / "m", way, SYNCHRONOUS, "worker-1")
    assert code == 0, said
    assert f"The training in {tmp_path / 'm'} is over since" in said
    assert said.count("\n") == 1, said
