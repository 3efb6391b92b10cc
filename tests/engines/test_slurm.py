"""Tests that jobs which `migrate cluster` writes for SLURM train on a real SLURM."""

import contextlib
import json
import re
import signal
import subprocess
import sys

import psutil
import pytest

from tests.cluster import trainings
from tests.engines import written
from tests.modern.cluster.processes import until

pytestmark = pytest.mark.engines

# Keeps a cluster, in which a job runs.
CLUSTER = """
import pathlib, sys
from tests.engines import slurm
from tests.modern.cluster import processes
folder = pathlib.Path(sys.argv[1])
script = folder / "script"
script.write_text("#!/bin/bash\\nsrun bash -c 'echo started; exec sleep 1000'")
with slurm.cluster(folder) as cluster:
    job = cluster.submit(script, "--nodes=3")
    processes.until(lambda: "started" in cluster.log(job))
    print("started", flush=True)
    sys.stdin.read()
"""
BATCH = 32  # The batch size of linear_regression.
LEGACY = [sys.executable, "-m", "legacy.train", "--job=linear_regression"]
DONE = ("COMPLETED", "0:0")


def train(model_dir, way, *flags):
    """Returns a command that trains for 40 steps, or as `flags` say."""
    strategy = [f"--strategy={way}", f"--model_dir={model_dir}"]
    return [
        *trainings.TRAIN,
        *strategy,
        "--train_steps=40",
        "--warmup_steps=0",
        "--noexport",
        *flags,
    ]


def written_job(folder, cluster, way, words, *flags):
    return written.write(folder, cluster, way, "slurm", words, *flags)


def to_the_end(slurm, script, *flags):
    """Runs a job, which must succeed and give srun nothing to complain about."""
    job = slurm.submit(script, *flags)
    assert set(slurm.end(job)) == {DONE}, slurm.log(job)
    assert not re.search("srun: (?!First task exited|StepId)", slurm.log(job)), slurm.log(job)
    return job


def record(model_dir, name):
    return json.loads((model_dir / "tasks" / f"{name}.json").read_text())


def test_synchronous_workers_train(tmp_path, slurm_cluster):
    model_dir, way = tmp_path / "model", "multi_worker_mirrored"
    script = written_job(tmp_path, written.SYNCHRONOUS, way, train(model_dir, way))
    job = to_the_end(slurm_cluster, script, "--nodes=3")
    assert slurm_cluster.jobs(job)[0]["NodeList"] == "n[9-11]"
    result = trainings.result_of(model_dir)
    assert (result["global_step"], result["cluster"]) == (40, {"worker": 3})
    assert result["examples"] == dict.fromkeys(("worker-0", "worker-1", "worker-2"), 40 * BATCH)


# Memory is a consumable resource: --mem is that of a node, and --mem-per-cpu that of a task.
@pytest.mark.parametrize("flag", ["--mem=4000", "--mem-per-cpu=1000", "--nodes=3"])
def test_parameter_servers_train_with_an_evaluator(tmp_path, slurm_cluster, flag):
    model_dir, way = tmp_path / "model", "parameter_server"
    words = train(model_dir, way)
    script = written_job(tmp_path, written.ASYNCHRONOUS, way, words, "--evaluator")
    to_the_end(slurm_cluster, script, flag)
    result = trainings.result_of(model_dir)
    assert (result["global_step"], result["cluster"]) == (40, {"chief": 1, "worker": 2, "ps": 1})
    assert sum(result["examples"].values()) == 40 * BATCH
    assert list(record(model_dir, "evaluator-0")["evaluations"]) == ["40"]


def test_an_estimator_cluster_trains(tmp_path, slurm_cluster):
    model_dir = tmp_path / "model"
    words = [*LEGACY, f"--model_dir={model_dir}", "--train_steps=40", "--warmup_steps=0"]
    script = written_job(tmp_path, written.ASYNCHRONOUS, "parameter_server", words, "--evaluator")
    to_the_end(slurm_cluster, script, "--nodes=2")
    result = trainings.result_of(model_dir)
    # The chief of an Estimator trains, too. Each update uses one batch, and none is lost.
    assert result["global_step"] >= 40
    assert set(result["examples"]) == {"chief-0", "worker-0", "worker-1"}
    assert sum(result["examples"].values()) == result["global_step"] * BATCH
    assert result["cluster"] == {"chief": 1, "worker": 2, "ps": 1}


# n9 has the batch script and the task that saves, whose lock of the folder ends after a minute.
@pytest.mark.parametrize(("lost", "rest"), [("n10", "n[9,11]"), ("n9", "n[10-11]")])
def test_a_job_continues_after_the_loss_of_a_node(tmp_path, slurm_cluster, lost, rest):
    model_dir, way, steps = tmp_path / "model", "multi_worker_mirrored", 3000
    flags = [f"--train_steps={steps}", "--save_checkpoints_steps=100", "--save_checkpoints_secs=0"]
    words = train(model_dir, way, *flags)
    script = written_job(tmp_path, {"worker": ["a:1", "b:1"]}, way, words)
    job = slurm_cluster.submit(script, "--nodes=2", "--requeue")
    trainings.wait_for_step(model_dir, 100)
    before = slurm_cluster.jobs(job)[0]
    assert (before["BatchHost"], before["NodeList"]) == ("n9", "n[9-10]")
    slurm_cluster.kill(lost)
    assert slurm_cluster.end(job) == [DONE], slurm_cluster.log(job)
    after = slurm_cluster.jobs(job)[0]
    assert (after["Restarts"], after["NodeList"]) == ("1", rest)
    result = trainings.result_of(model_dir)
    # The second run continued at a checkpoint, and took exactly the steps that were left.
    assert result["global_step"] == steps
    assert result["steps"] in range(100, steps, 100)
    assert result["examples"] == dict.fromkeys(("worker-0", "worker-1"), result["steps"] * BATCH)


def test_each_job_of_an_array_trains_with_its_own_seed(tmp_path, slurm_cluster):
    way = "multi_worker_mirrored"
    words = train(tmp_path / "$SLURM_ARRAY_TASK_ID", way, "--seed=$SLURM_ARRAY_TASK_ID")
    script = written_job(
        tmp_path, {"worker": ["a:1", "b:1"]}, way, ["bash", "-c", f"exec {' '.join(words)}"]
    )
    # All of them fit on one node at the same time, where they must not take each other's ports.
    to_the_end(slurm_cluster, script, "--array=0-1", "--nodelist=n9", "--mem=4000")
    results = [trainings.result_of(tmp_path / seed) for seed in ("0", "1")]
    assert [result["seed"] for result in results] == [0, 1]
    assert [result["global_step"] for result in results] == [40, 40]
    assert results[0]["eval"] != results[1]["eval"]


def facts(folder, cluster, slurm, command, *flags):
    """Returns what each task of a job prints, by the task's rank."""
    (folder / "facts").mkdir()
    words = ["bash", "-c", f'{command} > "{folder}/facts/$SLURM_PROCID"']
    to_the_end(
        slurm, written_job(folder, cluster, "parameter_server", words, "--evaluator"), *flags
    )
    found = sorted((folder / "facts").iterdir(), key=lambda path: int(path.name))
    return [path.read_text() for path in found]


def test_tasks_get_all_the_cpus_of_the_job(tmp_path, slurm_cluster):
    step = 'scontrol --oneliner show step "$SLURM_JOB_ID.$SLURM_STEP_ID"'
    shown = facts(tmp_path, written.ASYNCHRONOUS, slurm_cluster, step, "--cpus-per-task=2")
    assert len(shown) == 5
    assert {re.search(r" CPUs=(\d+)", text)[1] for text in shown} == {"10"}


def test_each_task_has_a_gpu_of_its_own(tmp_path, slurm_cluster):
    variables = 'echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES"'
    shown = facts(tmp_path, written.ASYNCHRONOUS, slurm_cluster, variables, "--gpus-per-task=1")
    assert [text.split() for text in shown] == [
        ["n9", "0"], ["n9", "1"], ["n10", "0"], ["n10", "1"], ["n11", "0"]
    ]  # fmt: skip


def of_cluster(folder):
    """Returns the processes of the cluster in a folder, and of its jobs."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("SLURM_CONF") == str(folder / "slurm.conf"):
                found.append(process)
    return found


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_nothing_remains_of_a_cluster(tmp_path, slurm_cluster, sent):
    """Also if the process that started it is killed. Another cluster is not touched."""
    folder = tmp_path / "other"
    folder.mkdir()
    program = subprocess.Popen(
        [sys.executable, "-c", CLUSTER, str(folder)],
        cwd=trainings.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with program:
        assert program.stdout.readline() == b"started\n"
        names = {process.name() for process in of_cluster(folder)}
        program.send_signal(sent)
    assert names >= {"slurmctld", "slurmd", "sleep"}
    until(lambda: not of_cluster(folder))
    assert of_cluster(slurm_cluster.folder)


def test_a_failed_task_ends_the_job(tmp_path, slurm_cluster):
    words = ["bash", "-c", "((SLURM_PROCID < 4)) && exec sleep 1000; exit 3"]
    script = written_job(tmp_path, written.ASYNCHRONOUS, "parameter_server", words, "--evaluator")
    job = slurm_cluster.submit(script)
    # srun returns the highest code: that of the other tasks, which SIGTERM ended.
    assert slurm_cluster.end(job) == [("FAILED", "143:0")]
    assert "task 4: Exited with exit code 3" in slurm_cluster.log(job)
