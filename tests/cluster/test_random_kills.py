"""Kills a random task of a cluster at a random moment, and trains on.

    KILLS=100 python -m pytest tests/cluster/test_random_kills.py

`make test-faults` does the same. Each kill has its own seed, which the name of its test shows.
"""

import os
import random
import signal
import sys

import pytest
import tensorflow as tf

from modern.launcher import local
from modern.model_files import intact, rotation
from tests.cluster import trainings
from tests.modern.cluster.processes import alive, until

pytestmark = [pytest.mark.cluster, pytest.mark.slow]

KILLS = int(os.environ.get("KILLS", "3"))
SERVERS = {"chief": True, "workers": 2, "ps": 1, "evaluator": True}
COMMON = ["--job=linear_regression", "--save_checkpoints_steps=50", "--keep_checkpoint_max=3"]
MODERN, LEGACY = [[sys.executable, "-m", f"{name}.train", *COMMON] for name in ("modern", "legacy")]
# The command, the tasks, and the folder of the checkpoints in the model_dir.
WAYS = {
    "multi_worker_mirrored": (
        [*MODERN, "--strategy=multi_worker_mirrored"],
        {"workers": 2, "evaluator": True},
        "checkpoints",
    ),
    "parameter_server": ([*MODERN, "--strategy=parameter_server"], SERVERS, "checkpoints"),
    "legacy": (LEGACY, SERVERS, "."),
}
NEVER = 10_000_000


def contained(way, path):
    """Returns the step that a checkpoint contains, which is 0 without a checkpoint.

    An Estimator's checkpoint has the step in its name at which the save began. The workers train on
    during the save.
    """
    if path is None:
        return 0
    if way == "legacy":
        return int(tf.train.load_variable(path, "global_step"))
    return rotation.step_of(path)


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("way", WAYS)
def test_a_killed_task_costs_no_saved_step(way, seed, tmp_path):
    command, sizes, nested = WAYS[way]
    model_dir = tmp_path / "m"
    folder = str(model_dir / nested)
    draw = random.Random(f"{way} {seed}")

    def cluster(steps):
        return local.LocalCluster(
            [*command, f"--model_dir={model_dir}", f"--train_steps={steps}"],
            log_dir=tmp_path / "logs",
            overwrite_logs=True,
            env=trainings.ENV,
            **sizes,
        )

    def saved():
        return trainings.latest_step(folder)

    with cluster(NEVER) as tasks:
        # A third of the kills come while the tasks start. The others come while they train.
        if draw.random() < 2 / 3:
            at_least = draw.randrange(50, 2000)
            until(lambda: saved() >= at_least, 300)
        killed = draw.choice(tasks.tasks)
        with pytest.raises(TimeoutError):
            tasks.wait(draw.uniform(0, 4))
        before = saved()
        killed.send_signal(signal.SIGKILL)
        killed.ended_by_launcher = False  # This test killed it, not the launcher.
        result = tasks.wait(120)
        pids = [task.pid for task in tasks.tasks]
    assert result.failed is not None, trainings.logs(tasks)
    assert (result.failed.name, result.exit_code) == (killed.name, 137), trainings.logs(tasks)
    assert not any(alive(pid) for pid in pids)
    latest = rotation.latest(folder)
    assert saved() >= before
    assert latest is None or intact.damage(latest) is None
    last = contained(way, latest)
    again = cluster(last + 100)
    done = trainings.to_the_end(again, 200)
    assert done.exit_code == 0
    trained = trainings.result_of(model_dir)["steps"]
    # Workers of parameter servers may add the steps that they had begun.
    reached = contained(way, rotation.latest(folder))
    assert last + 100 <= reached <= last + 110
    assert trained == reached - last
