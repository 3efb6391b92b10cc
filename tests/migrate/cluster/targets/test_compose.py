"""Tests of `migrate.cluster.targets.compose`, which writes a file for Docker compose."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess

import jsonschema
import pytest

from migrate.cluster import conversion, yaml_files
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests

SCHEMA = json.loads(pathlib.Path(__file__).with_name("compose_spec.json").read_text())


def read(text, way):
    made, written = manifests.written(text, way, "compose")
    (document,) = yaml_files.parse(written.text)
    return made, document, written


def validate(document):
    """Validates with the schema of 2021, which lacks `name`. The current specification has it."""
    without = {key: value for key, value in document.items() if key != "name"}
    jsonschema.validate(without, SCHEMA, cls=jsonschema.Draft7Validator)


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_it_is_valid_by_the_published_schema(text, way):
    _, document, _ = read(text, way)
    validate(document)


def test_the_schema_would_tell():
    _, document, _ = read(manifests.TFJOB, "parameter_server")
    document["services"]["chief-0"]["enviroment"] = {}
    with pytest.raises(jsonschema.ValidationError, match="enviroment"):
        validate(document)


def has_compose():
    command = ["docker", "compose", "version"]
    return shutil.which("docker") and subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.skipif(not has_compose(), reason="docker compose is not installed")
def test_docker_compose_reads_it(tmp_path):
    path = tmp_path / "mnist.compose.yaml"
    path.write_text(read(manifests.TFJOB, "parameter_server")[2].text)
    subprocess.run(["docker", "compose", "-f", path, "config", "--quiet"], check=True)


@pytest.mark.parametrize("way", conversion.WAYS)
def test_each_service_is_its_task_at_its_own_name(way):
    made, document, _ = read(manifests.TFJOB, way)
    assert list(document["services"]) == [task.name for task in made.tasks]
    for name, service in document["services"].items():
        config = tf_config.parse(service["environment"]["TF_CONFIG"])
        tf_config.validate(config, way, check_port=False)
        assert config.name == name
        assert config.address in (None, f"{name}:2222")


def test_what_a_service_has():
    _, document, _ = read(manifests.TFJOB, "parameter_server")
    service = document["services"]["worker-2"]
    assert service["entrypoint"][:2] == ["sh", "-c"]
    assert service["entrypoint"][3:] == ["sh", "python", "train.py"]
    # Compose reads two dollar signs as one.
    assert service["command"] == ["--model_dir=/mnt/mnist", "--price=$$5"]
    assert service["environment"]["RATE"] == "1e-3"
    assert service["working_dir"] == "/src"
    assert service["volumes"] == [{"type": "volume", "source": "claim", "target": "/mnt"}]
    assert service["stop_grace_period"] == "120s"
    resources = service["deploy"]["resources"]
    assert resources["limits"] == {"cpus": "4", "memory": str(8 * 2**30)}
    (device,) = resources["reservations"]["devices"]
    assert device == {"driver": "nvidia", "count": 1, "capabilities": ["gpu"]}
    assert "reservations" not in document["services"]["chief-0"]["deploy"]["resources"]
    assert document["volumes"] == {"claim": {}}
    # Its restartPolicy is Never.
    assert document["services"]["evaluator-0"]["entrypoint"] == ["python", "train.py"]


def test_nothing_is_lost_silently():
    _, _, written = read(manifests.TFJOB, "parameter_server")
    said = "\n".join(written.notes)
    for word in ("TOKEN", "tolerations", "sidecar.istio.io", "serviceAccountName", "queue",
                 "namespace: research", "labels", "activeDeadlineSeconds",
                 "ttlSecondsAfterFinished"):  # fmt: skip
        assert word in said
    assert "chief, worker, evaluator: not carried over: spec.serviceAccountName: trainer" in said


@pytest.mark.parametrize(
    ("volume", "kind", "source", "defined"),
    [
        ("hostPath: {path: /data}", "bind", "/data", None),
        (
            "nfs: {server: s, path: /p}",
            "volume",
            "data",
            {"driver": "local", "driver_opts": {"type": "nfs", "o": "addr=s", "device": ":/p"}},
        ),
        ("emptyDir: {}", None, None, None),
    ],
)
def test_volumes(volume, kind, source, defined):
    text = manifests.TFJOB.replace("persistentVolumeClaim: {claimName: claim}", volume)
    _, document, written = read(text, "multi_worker_mirrored")
    validate(document)
    mounted = document["services"]["chief-0"].get("volumes")
    assert mounted == ([{"type": kind, "source": source, "target": "/mnt"}] if source else None)
    assert document.get("volumes", {}).get("data") == defined
    assert any("the volume data (emptyDir)" in note for note in written.notes) == (not source)


def test_a_mount_can_be_read_only():
    text = manifests.TFJOB.replace("mountPath: /mnt}", "mountPath: /mnt, readOnly: true}")
    _, document, _ = read(text, "multi_worker_mirrored")
    validate(document)
    (mounted,) = document["services"]["chief-0"]["volumes"]
    assert mounted == {"type": "volume", "source": "claim", "target": "/mnt", "read_only": True}


def started(folder, program, restart="OnFailure", limit=2, before=("", "")):
    """Starts the entry point of a task whose program is a script for sh.

    `before` is a text of the entry point, and the one that replaces it.
    """
    policy = f"backoffLimit: {limit}" if limit is not None else "cleanPodPolicy: None"
    command = json.dumps(["sh", "-c", program])
    text = (
        manifests.COLLECTIVE.replace("[printenv, TF_CONFIG]", command)
        .replace("replicas: 3", f"replicas: 3\n      restartPolicy: {restart}")
        .replace("spec:\n  tf", f"spec:\n  runPolicy: {{{policy}}}\n  tf")
    )
    _, document, _ = read(text, "multi_worker_mirrored")
    words = document["services"]["worker-0"]["entrypoint"]
    return subprocess.Popen(
        [word.replace("$$", "$").replace(*before, 1) for word in words],
        cwd=folder,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("code", "restart", "limit", "runs"),
    [
        (0, "OnFailure", 2, 1),
        (5, "OnFailure", 2, 3),
        (5, "OnFailure", None, 4),
        (5, "OnFailure", 0, 1),
        (5, "Always", 1, 2),
        (5, "Never", 2, 1),
        (5, "ExitCode", 1, 1),
        (130, "ExitCode", 1, 2),
    ],
)
def test_a_task_restarts_by_its_policy(tmp_path, code, restart, limit, runs):
    with started(tmp_path, f"echo run; exit {code}", restart, limit) as task:
        output, _ = task.communicate()
    assert (task.returncode, output.count("run")) == (code, runs)


def test_a_restarted_task_can_succeed(tmp_path):
    with started(tmp_path, "test -e second || { touch second; exit 5; }") as task:
        _, said = task.communicate()
    assert task.returncode == 0
    assert said == "The task ended with exit code 5. Restart 1 of 2 follows.\n"


def test_a_stopped_task_ends_its_work_and_does_not_restart(tmp_path):
    program = "trap 'sleep 0.5; echo saved; exit 143' TERM; echo ready; while :; do sleep 0.1; done"
    with started(tmp_path, program) as task:
        assert task.stdout.readline() == "ready\n"
        task.terminate()
        output, said = task.communicate()
    assert (task.returncode, output, said) == (143, "saved\n", "")


@pytest.mark.parametrize("line", ['"$@" &', "task=$!", 'wait "$task"'])
def test_a_signal_reaches_a_task_at_any_moment(tmp_path, line):
    program = "trap 'exit 143' TERM; while :; do sleep 0.1; done"
    slow = f"echo here; sleep 0.5\n  {line}"
    with started(tmp_path, program, before=(line, slow)) as task:
        assert task.stdout.readline() == "here\n"
        task.terminate()
        try:
            assert task.wait(30) == 143
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(task.pid, signal.SIGKILL)


def test_the_entry_point_of_an_image_cannot_restart():
    text = manifests.COLLECTIVE.replace(", command: [printenv, TF_CONFIG]", "").replace(
        "replicas: 3", "replicas: 3\n      restartPolicy: OnFailure"
    )
    _, document, written = read(text, "multi_worker_mirrored")
    assert "entrypoint" not in document["services"]["worker-0"]
    assert any("not carried over: restartPolicy OnFailure" in note for note in written.notes)


def test_an_image_is_needed():
    text = manifests.COLLECTIVE.replace("image: registry/two:1, ", "")
    with pytest.raises(cli.UsageError, match="give --image"):
        read(text, "multi_worker_mirrored")
