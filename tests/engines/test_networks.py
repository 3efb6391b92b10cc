"""Tests that clusters train between machines whose network is slow, or fails for a while."""

import contextlib
import json
import os
import re
import subprocess
import sys

import pytest

from tests.cluster import trainings
from tests.engines import namespaces
from tests.modern.cluster.processes import until

pytestmark = pytest.mark.engines

BATCH = 32  # The batch size of linear_regression.
CLUSTERS = {
    "multi_worker_mirrored": {"worker": ["w0:2222", "w1:2222"]},
    "parameter_server": {"chief": ["c:2222"], "worker": ["w0:2222", "w1:2222"], "ps": ["ps:2222"]},
    "estimator": {"chief": ["c:2222"], "worker": ["w1:2222"], "ps": ["ps:2222"]},
}
SAVES = ["--save_checkpoints_steps=100", "--save_checkpoints_secs=0"]


@pytest.fixture
def machines(tmp_path):
    """Returns a machine for each host name of `CLUSTERS`."""
    if reason := namespaces.obstacle({"tc": "iproute2", "nft": "nftables"}):
        pytest.skip(reason)
    with namespaces.network(["c", "w0", "w1", "ps"], tmp_path) as machines:
        yield machines


def train(way, model_dir, steps, *flags):
    """Returns the command of a task."""
    legacy = [sys.executable, "-m", "legacy.train", "--job=linear_regression"]
    modern = [*trainings.TRAIN, f"--strategy={way}", "--noexport"]
    words = legacy if way == "estimator" else modern
    return [
        *words,
        f"--model_dir={model_dir}",
        f"--train_steps={steps}",
        "--warmup_steps=0",
        *flags,
    ]


class Tasks:
    """The tasks of a cluster, each on its machine."""

    def __init__(self, folder, machines, way, words):
        self.logs = {}
        self._started = {}
        for task_type, addresses in CLUSTERS[way].items():
            for index, address in enumerate(addresses):
                name = f"{task_type}-{index}"
                config = {"cluster": CLUSTERS[way], "task": {"type": task_type, "index": index}}
                self.logs[name] = folder / f"{name}.log"
                with self.logs[name].open("w") as log:
                    self._started[name] = subprocess.Popen(
                        machines[address.partition(":")[0]].command(*words),
                        env=os.environ | trainings.ENV | {"TF_CONFIG": json.dumps(config)},
                        stdout=log,
                        stderr=subprocess.STDOUT,
                    )

    def code(self, name, seconds=240):
        """Waits for the end of a task, and returns its exit code."""
        return self._started[name].wait(seconds)

    def codes(self):
        """Waits for the end of all tasks, and returns their exit codes."""
        return {name: self.code(name) for name in self._started}

    def text(self):
        """Returns what all tasks have printed."""
        return "\n".join(f"{name}:\n{path.read_text()}" for name, path in self.logs.items())

    def kill(self):
        for task in self._started.values():
            task.kill()
            task.wait()


@contextlib.contextmanager
def started(folder, machines, way, words):
    tasks = Tasks(folder, machines, way, words)
    try:
        yield tasks
    finally:
        tasks.kill()


def wait_for_checkpoint(model_dir):
    """Waits until a training has made its first steps."""
    until(lambda: saved(model_dir), 90)


def saved(model_dir):
    """Returns the files of the checkpoints of a training."""
    return [*model_dir.rglob("*ckpt-[1-9]*.index")]


def check(tasks, model_dir, way, steps):
    """All tasks have succeeded, and no step is lost or made twice."""
    codes = tasks.codes()
    assert set(codes.values()) == {0}, (codes, tasks.text())
    result = trainings.result_of(model_dir)
    # A trainer of an Estimator may make a last step while another ends.
    assert result["global_step"] == steps or way == "estimator" and result["global_step"] > steps
    assert lost_examples(result, way) == 0


def lost_examples(result, way):
    """Returns the number of examples that the global step counts, and no trainer."""
    of_each = len(CLUSTERS[way]["worker"]) if way == "multi_worker_mirrored" else 1
    return result["global_step"] * BATCH * of_each - sum(result["examples"].values())


@pytest.mark.parametrize("way", CLUSTERS)
def test_a_short_outage_of_a_link_loses_nothing(tmp_path, machines, way):
    model_dir, steps = tmp_path / "model", 1000
    with started(tmp_path, machines, way, train(way, model_dir, steps, *SAVES)) as tasks:
        wait_for_checkpoint(model_dir)
        down, up = (f"ip link set dev eth0 {state}" for state in ("down", "up"))
        machines["w1"].run("sh", "-c", f"{down}; sleep 2.5; {up}")
        assert not (model_dir / "result.json").exists(), "the training ended before the outage"
        check(tasks, model_dir, way, steps)


@pytest.mark.parametrize("way", CLUSTERS)
def test_a_slow_link_loses_nothing(tmp_path, machines, way):
    model_dir, steps = tmp_path / "model", 40
    shaped = "tc qdisc add dev eth0 root tbf rate 64kbit burst 2kb latency 2s"
    machines["w1"].run(*shaped.split())
    with started(tmp_path, machines, way, train(way, model_dir, steps)) as tasks:
        check(tasks, model_dir, way, steps)
    # Packets have waited for the link.
    queue = machines["w1"].run("tc", "-s", "qdisc", "show", "dev", "eth0")
    assert int(re.search(r"overlimits (\d+)", queue)[1]) > 0, queue


def cut_off(machine):
    """Drops all packets of a machine. No connection ends."""
    machine.run("nft", "add table inet cut")
    for hook in ("input", "output"):
        rule = f"{{ type filter hook {hook} priority 0; policy drop; }}"
        machine.run("nft", f"add chain inet cut {hook} {rule}")


def test_the_loss_of_a_worker_ends_synchronous_training(tmp_path, machines):
    """TensorFlow misses its heartbeats. Both sides of the network end."""
    model_dir, way = tmp_path / "model", "multi_worker_mirrored"
    with started(tmp_path, machines, way, train(way, model_dir, 1_000_000, *SAVES)) as tasks:
        wait_for_checkpoint(model_dir)
        cut_off(machines["w1"])
        assert tasks.codes() == {"worker-0": 1, "worker-1": 1}, tasks.text()
        said = tasks.logs["worker-0"].read_text()
        assert "unhealthy (stopped sending heartbeats)" in said, said
        assert "/job:worker/replica:0/task:1" in said, said


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("parameter_server", ("ps-0", "--stall_timeout=20")),
        ("estimator", ("chief-0: no step in 20 s, giving up. No answer from ps-0 at ps:2222.",)),
    ],
)
def test_the_loss_of_a_server_ends_a_training_in_words(tmp_path, machines, way, words):
    model_dir = tmp_path / "model"
    command = train(way, model_dir, 1_000_000, "--stall_timeout=20", *SAVES)
    with started(tmp_path, machines, way, command) as tasks:
        # In its first save, a coordinator sends functions to all tasks. Meanwhile TensorFlow holds
        # Python's lock, so that nothing could notice a server that does not answer.
        until(lambda: len(saved(model_dir)) > 1, 90)
        cut_off(machines["ps"])
        assert tasks.code("chief-0") == 1, tasks.text()
        said = tasks.logs["chief-0"].read_text()
    assert all(word in said for word in words), said


def test_a_training_goes_on_without_a_worker(tmp_path, machines):
    """The others make the steps of the lost worker."""
    model_dir, way, steps = tmp_path / "model", "parameter_server", 3000
    with started(tmp_path, machines, way, train(way, model_dir, steps, *SAVES)) as tasks:
        until(lambda: len(saved(model_dir)) > 1, 90)
        cut_off(machines["w1"])
        assert tasks.code("chief-0") == 0, tasks.text()
        assert tasks.code("worker-0") == 0, tasks.text()
        said = tasks.logs["chief-0"].read_text()
    assert "worker-1" in said, said
    result = trainings.result_of(model_dir)
    # The steps of an execution that was under way may be made twice.
    assert steps <= result["global_step"] <= steps + 10
    # If the worker was cut off between two executions, all of its steps are counted.
    assert 0 <= result["uncounted_steps"] < 10
    assert lost_examples(result, way) == result["uncounted_steps"] * BATCH
    assert max(result["examples"].values()) > 0.6 * steps * BATCH, result["examples"]
