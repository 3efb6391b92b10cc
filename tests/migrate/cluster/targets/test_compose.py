"""Tests of `migrate.cluster.targets.compose`, which writes a file for Docker compose."""

import json
import pathlib
import shutil
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
    assert service["entrypoint"] == ["python", "train.py"]
    # Compose reads two dollar signs as one.
    assert service["command"] == ["--model_dir=/mnt/mnist", "--price=$$5"]
    assert service["environment"]["RATE"] == "1e-3"
    assert service["working_dir"] == "/src"
    assert service["volumes"] == ["claim:/mnt"]
    assert service["restart"] == "on-failure:3"
    resources = service["deploy"]["resources"]
    assert resources["limits"] == {"cpus": "4", "memory": str(8 * 2**30)}
    (device,) = resources["reservations"]["devices"]
    assert device == {"driver": "nvidia", "count": 1, "capabilities": ["gpu"]}
    assert "reservations" not in document["services"]["chief-0"]["deploy"]["resources"]
    assert document["volumes"] == {"claim": {}}
    assert document["services"]["evaluator-0"]["restart"] == "no"


def test_nothing_is_lost_silently():
    _, _, written = read(manifests.TFJOB, "parameter_server")
    said = "\n".join(written.notes)
    for word in ("TOKEN", "tolerations", "sidecar.istio.io", "serviceAccountName", "queue",
                 "namespace: research", "labels", "activeDeadlineSeconds",
                 "ttlSecondsAfterFinished", "ExitCode is on-failure"):  # fmt: skip
        assert word in said
    assert "chief, worker, evaluator: not carried over: spec.serviceAccountName: trainer" in said


@pytest.mark.parametrize(
    ("volume", "source", "defined"),
    [
        ("hostPath: {path: /data}", "/data", None),
        (
            "nfs: {server: s, path: /p}",
            "data",
            {"driver": "local", "driver_opts": {"type": "nfs", "o": "addr=s", "device": ":/p"}},
        ),
        ("emptyDir: {}", None, None),
    ],
)
def test_volumes(volume, source, defined):
    text = manifests.TFJOB.replace("persistentVolumeClaim: {claimName: claim}", volume)
    _, document, written = read(text, "multi_worker_mirrored")
    validate(document)
    mounted = document["services"]["chief-0"].get("volumes")
    assert mounted == ([f"{source}:/mnt"] if source else None)
    assert document.get("volumes", {}).get("data") == defined
    assert any("the volume data (emptyDir)" in note for note in written.notes) == (not source)


def test_an_image_is_needed():
    text = manifests.COLLECTIVE.replace("image: registry/two:1, ", "")
    with pytest.raises(cli.UsageError, match="give --image"):
        read(text, "multi_worker_mirrored")
