"""Test that an old cluster trains after its conversion, each task by its new TF_CONFIG."""

import json
import os
import subprocess
import sys

import pytest

from modern.cluster import plan, ports
from tests.cluster import trainings
from tests.modern.cluster.processes import alive

pytestmark = pytest.mark.cluster


def test_a_converted_cluster_trains_to_its_end(tmp_path):
    chief, worker, ps, added = (f"localhost:{port}" for port in ports.free_ports(4))
    old = {"cluster": {"master": [chief], "worker": [worker], "ps": [ps]},
           "task": {"type": "master", "index": 0}}  # fmt: skip
    environ = {**os.environ, **trainings.ENV}
    converted = subprocess.run(
        [sys.executable, "-m", "migrate", "cluster", "--to=parameter_server", "--format=json",
         f"--address=worker-1={added}"],
        env={**environ, "TF_CONFIG": json.dumps(old)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (found,) = json.loads(converted.stdout)["jobs"]
    tasks = {task["task"]: task["tf_config"] for task in found["parameter_server"]["tasks"]}
    assert set(tasks) == {"chief-0", "worker-0", "worker-1", "ps-0"}
    model_dir = tmp_path / "model"
    flags = ["--strategy=parameter_server", f"--model_dir={model_dir}", "--train_steps=20",
             "--warmup_steps=0", "--noexport"]  # fmt: skip
    started = {
        name: subprocess.Popen(
            [*trainings.TRAIN, *flags],
            env=environ | plan.without_proxy(environ) | {"TF_CONFIG": text},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        for name, text in tasks.items()
    }
    try:
        said = {name: task.communicate(timeout=100)[1] for name, task in started.items()}
    finally:
        for task in started.values():
            task.kill()
            task.communicate()
    assert {name: task.returncode for name, task in started.items()} == dict.fromkeys(tasks, 0), (
        said
    )
    result = trainings.result_of(model_dir)
    # As many tasks train as before: the old master and its worker were two trainers.
    assert (result["trainers"], found["legacy"]["trainers"]) == (2, 2)
    assert result["cluster"] == {"chief": 1, "worker": 2, "ps": 1}
    assert not any(alive(task.pid) for task in started.values())
