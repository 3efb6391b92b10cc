"""Tests that compose files which `migrate cluster` writes train in real containers."""

import json
import signal
import sys

import psutil
import pytest

from tests.cluster import trainings
from tests.engines import written

pytestmark = pytest.mark.engines

BATCH = 32  # The batch size of linear_regression.
SHORT = ["--model_dir=/data/model", "--train_steps=40", "--warmup_steps=0"]
LEGACY = [sys.executable, "-m", "legacy.train", "--job=linear_regression", *SHORT]
# Ends the job when a container has failed. Without a failure, it ends when all containers have.
ABORT = "--abort-on-container-failure"
# A TFJob whose tasks restart.
RESTARTING = """
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {{name: old}}
spec:
  runPolicy: {{backoffLimit: {limit}}}
  tfReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: OnFailure
      template:
        spec:
          containers:
          - {{name: tensorflow, image: host, volumeMounts: [{{name: data, mountPath: /data}}]}}
          volumes: [{{name: data, persistentVolumeClaim: {{claimName: data}}}}]
"""


def train(way, *flags):
    """Returns a command that trains for 40 steps, or as `flags` say."""
    return [*trainings.TRAIN, f"--strategy={way}", "--noexport", *SHORT, *flags]


def written_job(folder, cluster, way, words, *flags):
    flags = ["--image=host", "--volume=data:/data", *flags]
    return written.write(folder, cluster, way, "compose", words, *flags)


def restarting_job(folder, words, limit=3):
    """Returns a job of two synchronous workers that restart after failures."""
    (folder / "old.yaml").write_text(RESTARTING.format(limit=limit))
    return written.convert(folder / "old.yaml", "multi_worker_mirrored", "compose", words)


def to_the_end(engine, path):
    """Runs a job, which must succeed. Returns its MODEL_DIR."""
    code, output = engine.up(path, ABORT)
    assert code == 0, output
    return engine.volume("old_data") / "model"


def record(model_dir, name):
    return json.loads((model_dir / "tasks" / f"{name}.json").read_text())


def test_synchronous_workers_train_with_an_evaluator(tmp_path, compose_engine):
    way = "multi_worker_mirrored"
    path = written_job(tmp_path, written.SYNCHRONOUS, way, train(way), "--evaluator")
    model_dir = to_the_end(compose_engine, path)
    result = trainings.result_of(model_dir)
    assert (result["global_step"], result["cluster"]) == (40, {"worker": 3})
    assert result["examples"] == dict.fromkeys(("worker-0", "worker-1", "worker-2"), 40 * BATCH)
    assert list(record(model_dir, "evaluator-0")["evaluations"]) == ["40"]


def test_parameter_servers_train_with_an_evaluator(tmp_path, compose_engine):
    way = "parameter_server"
    path = written_job(tmp_path, written.ASYNCHRONOUS, way, train(way), "--evaluator")
    model_dir = to_the_end(compose_engine, path)
    result = trainings.result_of(model_dir)
    assert (result["global_step"], result["cluster"]) == (40, {"chief": 1, "worker": 2, "ps": 1})
    assert sum(result["examples"].values()) == 40 * BATCH
    assert list(record(model_dir, "evaluator-0")["evaluations"]) == ["40"]


def test_an_estimator_cluster_trains(tmp_path, compose_engine):
    path = written_job(tmp_path, written.ASYNCHRONOUS, "parameter_server", LEGACY, "--evaluator")
    result = trainings.result_of(to_the_end(compose_engine, path))
    # The chief of an Estimator trains, too. Each update uses one batch, and none is lost.
    assert result["global_step"] >= 40
    assert set(result["examples"]) == {"chief-0", "worker-0", "worker-1"}
    assert sum(result["examples"].values()) == result["global_step"] * BATCH
    assert result["cluster"] == {"chief": 1, "worker": 2, "ps": 1}


@pytest.mark.parametrize("lost", ["worker-0", "worker-1"])
def test_a_training_continues_after_a_failure(tmp_path, compose_engine, lost):
    way, steps = "multi_worker_mirrored", 3000
    flags = [f"--train_steps={steps}", "--save_checkpoints_steps=100", "--save_checkpoints_secs=0"]
    path = restarting_job(tmp_path, train(way, *flags))
    model_dir = compose_engine.volume("old_data") / "model"
    with compose_engine.start(path, ABORT) as started:
        trainings.wait_for_step(model_dir, 100)
        for process in compose_engine.tasks(lost):
            process.kill()
        output, _ = started.communicate()
    assert started.returncode == 0, output
    assert "The task ended with exit code 137. Restart 1 of 3 follows." in output
    result = trainings.result_of(model_dir)
    # The second run continued at a checkpoint, and took exactly the steps that were left.
    assert result["global_step"] == steps
    assert result["steps"] in range(100, steps, 100)
    assert result["examples"] == dict.fromkeys(("worker-0", "worker-1"), result["steps"] * BATCH)


def test_a_program_that_always_fails_ends_the_job(tmp_path, compose_engine):
    """After its restarts, with its exit code. The other worker would never end."""
    fails = "echo started; [[ $TF_CONFIG == *'\"index\": 0'* ]] || exec sleep 1000; exit 3"
    code, output = compose_engine.up(restarting_job(tmp_path, ["bash", "-c", fails], 2), ABORT)
    assert code == 3, output
    assert output.count("| started") == 4, output
    assert "Restart 2 of 2 follows." in output


def test_servers_that_never_end_are_ended_after_the_chief(tmp_path, compose_engine):
    """Although a worker and the evaluator end before it."""
    script = """
case "$TF_CONFIG" in
  *'"type": "chief"'*) sleep 5; echo done;;
  *'"type": "ps"'*) exec sleep 1000;;
esac
"""
    words = ["sh", "-c", script]
    path = written_job(tmp_path, written.ASYNCHRONOUS, "parameter_server", words, "--evaluator")
    flags = ["--attach=chief-0", "--exit-code-from=chief-0"]
    code, output = compose_engine.up(path, *flags)
    assert code == 0, output
    assert "| done" in output
    codes = compose_engine.exit_codes()
    assert codes == {
        "old-chief-0-1": 0, "old-worker-0-1": 0, "old-worker-1-1": 0, "old-evaluator-0-1": 0,
        "old-ps-0-1": 143,
    }  # fmt: skip


def test_a_stopped_training_saves(tmp_path, compose_engine):
    way = "multi_worker_mirrored"
    saves = ["--save_checkpoints_steps=100", "--save_checkpoints_secs=0"]
    path = restarting_job(tmp_path, train(way, "--train_steps=1000000", *saves))
    model_dir = compose_engine.volume("old_data") / "model"
    with compose_engine.start(path, ABORT) as started:
        trainings.wait_for_step(model_dir, 100)
        (compose,) = psutil.Process(started.pid).children()
        compose.send_signal(signal.SIGINT)
        output, _ = started.communicate()
    # Compose shows no output while it stops the containers.
    assert compose_engine.exit_codes() == {"old-worker-0-1": 143, "old-worker-1-1": 143}, output
    assert record(model_dir, "worker-0")["finished"]
