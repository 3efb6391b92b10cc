"""Tests that the listings of TensorFlow's 2018 guide to distribution run as printed."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.cluster import ports

pytestmark = pytest.mark.cluster

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTS = ROOT / "tests" / "legacy" / "documents"
DEADLINE_SECS = 150


def start(listing, *arguments, task=None):
    """Starts a listing under legacy.run. `task` is the value of TF_CONFIG, if any."""
    environment = {name: value for name, value in os.environ.items() if name != "TF_CONFIG"}
    if task:
        environment["TF_CONFIG"] = json.dumps(task)
    return subprocess.Popen(
        [sys.executable, "-m", "legacy.run", DOCUMENTS / f"{listing}.py", *map(str, arguments)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(listing, *arguments):
    """Runs a listing and returns its standard output and standard error."""
    process = start(listing, *arguments)
    with ended([process]):
        output, errors = process.communicate(timeout=DEADLINE_SECS)
    assert process.returncode == 0, errors
    return output, errors


@contextlib.contextmanager
def ended(processes):
    """Kills the processes at the end of the context."""
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def cluster(**sizes):
    """Returns the cluster's spec and a TF_CONFIG for each of its tasks, on this machine."""
    free = iter(ports.free_ports(sum(sizes.values())))
    spec = {job: [f"localhost:{next(free)}" for _ in range(count)] for job, count in sizes.items()}
    return spec, [
        {"cluster": spec, "task": {"type": job, "index": index}}
        for job, count in sizes.items()
        for index in range(count)
    ]


def trained_to(model_dir):
    """Returns the last checkpoint's global step, and its loss on the document's one example."""
    reader = tf.train.load_checkpoint(str(model_dir))
    weight, bias = reader.get_tensor("dense/kernel"), reader.get_tensor("dense/bias")
    return int(reader.get_tensor("global_step")), float((weight[0, 0] + bias[0] - 1) ** 2)


def test_keras_model_compiled_with_a_strategy():
    output, _ = run("keras_mirrored")
    loss, prediction = (float(line.split()[-1]) for line in output.splitlines()[-2:])
    assert loss < 1e-6
    assert prediction == pytest.approx(1)


def test_estimator_with_a_strategy():
    output, errors = run("estimator_mirrored")
    assert "'global_step'" in output
    # The listing never increments the global step. TensorFlow 1.15 warned of that in these words.
    assert "global step (tf.train.get_global_step) has not been increased" in errors


@pytest.mark.parametrize(
    ("listing", "sizes", "steps"),
    [
        ("collective_all_reduce", {"worker": 3}, range(100, 101)),
        ("parameter_server", {"worker": 3, "ps": 2}, range(300, 301)),
    ],
)
def test_cluster(listing, sizes, steps, tmp_path):
    _, tasks = cluster(**sizes)
    processes = [start(listing, tmp_path, task=task) for task in tasks]
    with ended(processes):
        for process in processes:
            _, errors = process.communicate(timeout=DEADLINE_SECS)
            assert process.returncode == 0, errors
            if listing == "collective_all_reduce":
                assert "2 GPUs are asked for and there are 0: the CPU is used" in errors
    step, loss = trained_to(tmp_path)
    assert step in steps
    assert loss < 1e-6


def test_standalone_client(tmp_path):
    spec, tasks = cluster(worker=3)
    servers = [start("standard_server", task=task) for task in tasks]
    with ended(servers):
        run("standalone_client", tmp_path, ",".join(spec["worker"]))
        assert [server.poll() for server in servers] == [None] * 3  # They serve the next client.
    step, loss = trained_to(tmp_path)
    assert step == 100
    assert loss < 1e-6
