"""Tests of `migrate.cluster.targets.slurm`, which writes an sbatch script."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from migrate.cluster import conversion
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests

COMMANDS = pathlib.Path(__file__).with_name("slurm_commands.py")
# Installed next to this Python, which need not be on the path.
SHELLCHECK = str(pathlib.Path(sys.executable).with_name("shellcheck"))
SERVED = """
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: mnist}
spec:
  tfReplicaSpecs:
    Chief: {template: &pod {spec: {containers: [
      {name: tensorflow, image: i, command: [printenv, TF_CONFIG]}]}}}
    Worker: {replicas: 2, template: *pod}
    PS: {template: *pod}
    Evaluator: {template: *pod}
"""

NO_EVALUATOR = SERVED.replace("    Evaluator: {template: *pod}\n", "")

# Prints the result of SlurmClusterResolver for each environment.
RESOLVERS = """
import json, os, sys
from modern.process import quiet_import
quiet_import.import_tensorflow()
import tensorflow as tf
for environ, options in json.loads(sys.argv[1]):
    os.environ.update(environ)
    resolver = tf.distribute.cluster_resolver.SlurmClusterResolver(**options)
    cluster = resolver.cluster_spec().as_dict()
    print(json.dumps([cluster, resolver.task_type, resolver.task_id]))
"""


def script(text, way="parameter_server"):
    return manifests.written(text, way, "slurm")[1].text


def run(text, folder, nodes, tasks_per_node, way="parameter_server", **environ):
    """Runs a script with stand-ins for srun and scontrol.

    Returns:
      The finished process, and the output of each task by its rank.
    """
    for name in ("srun", "scontrol"):
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec {sys.executable} {COMMANDS} {name} "$@"\n')
        command.chmod(0o755)
    ranks = folder / "ranks"
    env = os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}", "SLURM_JOB_ID": "4321", "RANKS": str(ranks),
        "STEP_NODELIST": nodes, "STEP_TASKS_PER_NODE": tasks_per_node, **environ,
    }  # fmt: skip
    done = subprocess.run(
        ["bash"], input=script(text, way), env=env, capture_output=True, text=True
    )
    found = {}
    for line in ranks.read_text().splitlines() if ranks.exists() else ():
        rank, output = json.loads(line)
        found[rank] = output
    return done, found


def bash_of(text):
    """Returns the script, and the nested scripts that its tasks run."""
    return [text, *re.findall(r"<<'END' \|\| true\n(.*?)\nEND\n", text, re.DOTALL)]


@pytest.mark.parametrize("text", [manifests.TFJOB, SERVED, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_the_shell_and_shellcheck_find_nothing(text, way):
    parts = bash_of(script(text, way))
    assert len(parts) == 2
    for part in parts:
        subprocess.run(["bash", "-n"], input=part, text=True, check=True)
        done = subprocess.run(
            [SHELLCHECK, "--shell=bash", "--severity=warning", "-"],
            input=part,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("nodes", "tasks_per_node", "addresses"),
    [
        ("n[1-2],m", "2(x2),2", ["n1:0", "n1:1", "n2:0", "n2:1", "m:0"]),
        ("n7", "6", ["n7:0", "n7:1", "n7:2", "n7:3", "n7:4"]),
        # Ranks follow SLURM's numeric order of nodes. Sorted as text, n10 would precede n9.
        ("n[9-14]", "1(x6)", ["n9:0", "n10:0", "n11:0", "n12:0", "n13:0"]),
    ],
)
def test_each_task_gets_its_tf_config(tmp_path, nodes, tasks_per_node, addresses):
    done, found = run(SERVED, tmp_path, nodes, tasks_per_node)
    assert done.returncode == 0, done.stderr
    assert set(found) == set(range(6))
    base = 15000 + 4321 % 1000 * 16
    expected = [f"{host}:{base + int(n)}" for host, n in (a.split(":") for a in addresses)]
    configs = [tf_config.parse(found[rank]) for rank in range(6)]
    for config in configs:
        tf_config.validate(config, "parameter_server", check_port=False)
        assert config.cluster == configs[0].cluster
    # The evaluator is outside of the cluster.
    assert [config.address for config in configs] == [*expected, None]
    assert [config.name for config in configs] == [
        "chief-0", "ps-0", "worker-0", "worker-1", "worker-2", "evaluator-0"
    ]  # fmt: skip


def test_the_cluster_resolver_of_tensorflow_agrees(tmp_path):
    """The resolver agrees if names of nodes sort like their numbers. Otherwise it is wrong."""
    asked, said = [], []
    for number, (nodes, tasks_per_node) in enumerate(
        [("m1,n[1-2]", "1,2(x2)"), ("n7", "5"), ("n[9-13]", "1(x5)")]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        done, found = run(NO_EVALUATOR, folder, nodes, tasks_per_node, PORT_BASE="2222")
        assert done.returncode == 0, done.stderr
        for rank in range(5):
            config = tf_config.parse(found[rank])
            environ = {
                "SLURM_PROCID": str(rank), "SLURM_STEP_NUM_TASKS": "5",
                "SLURM_STEP_NODELIST": nodes, "SLURM_STEP_TASKS_PER_NODE": tasks_per_node,
            }  # fmt: skip
            jobs = {t: len(tasks) for t, tasks in config.cluster.items()}
            # Options for nodes without GPUs, as in the script's comment.
            options = {
                "jobs": jobs, "port_base": 2222, "gpus_per_node": 5, "gpus_per_task": 1,
                "auto_set_gpu": False,
            }  # fmt: skip
            asked.append([environ, options])
            cluster = {t: list(tasks) for t, tasks in config.cluster.items()}
            said.append([cluster, config.task_type, config.task_index])
    done = subprocess.run(
        [sys.executable, "-c", RESOLVERS, json.dumps(asked)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    resolved = [json.loads(line) for line in done.stdout.splitlines()]
    assert resolved[:10] == said[:10]
    # The resolver sorts n10 to n13 before n9: rank 0 runs on n9, but the resolver puts it on n10.
    assert resolved[10][0]["chief"] == ["n10:2222"]
    assert said[10][0]["chief"] == ["n9:2222"]


def test_a_ring_has_no_ps(tmp_path):
    done, found = run(
        manifests.COLLECTIVE, tmp_path, "n[1-3]", "1(x3)", way="multi_worker_mirrored"
    )
    assert done.returncode == 0, done.stderr
    tasks = [tf_config.parse(found[rank]) for rank in range(3)]
    assert [task.name for task in tasks] == ["worker-0", "worker-1", "worker-2"]
    assert set(tasks[0].cluster) == {"worker"}


def test_a_task_that_fails_fails_the_job(tmp_path):
    text = SERVED.replace("printenv, TF_CONFIG", "sh, -c, exit 3")
    done, _ = run(text, tmp_path, "n1", "6")
    assert done.returncode == 3


def test_commands_and_variables_by_type_reach_the_program_unchanged(tmp_path):
    odd = 'it\'s $HOME `x` \\ "q"\nEND\n  z'
    text = SERVED.replace(
        "{template: *pod}\n    Evaluator",
        "{template: {spec: {containers: [{name: tensorflow, image: i, "
        'command: [printenv, ODD], env: [{name: ODD, value: "x"}]}]}}}\n    Evaluator',
    )
    text = text.replace('value: "x"', f"value: {json.dumps(odd)}")
    assert "case $type in" in script(text)
    done, found = run(text, tmp_path, "n1", "6")
    assert done.returncode == 0, done.stderr
    assert found[1] == odd
    assert tf_config.parse(found[0]).name == "chief-0"


def test_what_the_tasks_need_is_asked_for():
    made, written = manifests.written(manifests.TFJOB, "parameter_server", "slurm")
    directives = re.findall("^#SBATCH (.*)$", written.text, re.MULTILINE)
    assert directives == [
        "--job-name=mnist", "--ntasks=6", "--cpus-per-task=4", "--mem-per-cpu=2048M",
        "--gpus-per-task=1", "--time=1440",
    ]  # fmt: skip
    # One step for all tasks: a second one would wait for the memory that the first one has. It is
    # not --exact, which would leave it one CPU for each task.
    (flags,) = re.findall(r"^srun (.*) bash", written.text, re.MULTILINE)
    assert flags == "--ntasks=6 --distribution=block --kill-on-bad-exit=1 --wait=0"
    assert len(made.tasks) == 6
    assert any("so each gets the most that one needs" in note for note in written.notes)
    assert "\n    cd /src\n" in written.text


def test_a_job_that_requests_no_cpus_is_told_that_tasks_get_one():
    note = "cpu: no task requests any, so SLURM gives each task one."
    _, written = manifests.written(SERVED, "parameter_server", "slurm")
    assert "#SBATCH --cpus-per-task=" not in written.text
    assert sum(line.startswith(note) for line in written.notes) == 1
    _, written = manifests.written(manifests.TFJOB, "parameter_server", "slurm")
    assert not any(line.startswith(note) for line in written.notes)


def test_only_the_cluster_of_a_job_without_evaluator_can_be_resolved():
    assert "SlurmClusterResolver(jobs=" in script(NO_EVALUATOR)
    assert "SlurmClusterResolver" not in script(SERVED)


def test_nothing_is_lost_silently():
    _, written = manifests.written(manifests.TFJOB, "multi_worker_mirrored", "slurm")
    said = "\n".join(written.notes)
    for word in ("TOKEN", "tolerations", "the image registry/mnist:1", "the volume data at /mnt",
                 "namespace: research", "backoffLimit: 3", "ttlSecondsAfterFinished", "queue",
                 "a failed task ends the job"):  # fmt: skip
        assert word in said


def test_a_program_is_needed():
    text = manifests.COLLECTIVE.replace(", command: [printenv, TF_CONFIG]", "")
    with pytest.raises(cli.UsageError, match="runs the entry point of its image"):
        script(text)
