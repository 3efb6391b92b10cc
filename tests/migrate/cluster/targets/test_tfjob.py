"""Tests of `migrate.cluster.targets.tfjob`, which writes a TFJob for the new strategies."""

import json

import jsonschema
import kubernetes_validate
import pytest

from migrate.cluster import conversion, yaml_files
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests
from tests.migrate.cluster.targets import custom_objects


def read(text, way="parameter_server"):
    made, written = manifests.written(text, way, "tfjob")
    *policies, document = yaml_files.parse(written.text)
    assert [d["kind"] for d in policies] == ["NetworkPolicy", "PodDisruptionBudget"]
    return made, document, written.notes


def operators_tf_configs(document):
    """Yields the TF_CONFIG of each pod, as genTFConfigJSONStr of the operator makes it."""
    metadata, specs = document["metadata"], document["spec"]["tfReplicaSpecs"]
    cluster = {}
    for name, spec in specs.items():
        (container,) = (
            c for c in spec["template"]["spec"]["containers"] if c["name"] == "tensorflow"
        )
        (port,) = (p["containerPort"] for p in container["ports"] if p["name"] == "tfjob-port")
        domain = f"{metadata.get('namespace', 'default')}.svc"
        cluster[name.lower()] = [
            f"{metadata['name']}-{name.lower()}-{i}.{domain}:{port}"
            for i in range(spec["replicas"])
        ]
    cluster.pop("evaluator", None)
    for name, spec in specs.items():
        for index in range(spec["replicas"]):
            task = {"type": name.lower(), "index": index}
            yield json.dumps({"cluster": cluster, "task": task, "environment": "cloud"})


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_it_is_valid_by_the_published_schemas(text, way):
    _, document, _ = read(text, way)
    custom_objects.validate(document)


def test_the_schema_would_tell():
    _, document, _ = read(manifests.TFJOB)
    worker = document["spec"]["tfReplicaSpecs"]["Worker"]
    worker["restartPolicies"] = worker.pop("restartPolicy")
    with pytest.raises(jsonschema.ValidationError, match="restartPolicies"):
        custom_objects.validate(document)
    del worker["restartPolicies"]
    worker["template"]["spec"]["container"] = []
    with pytest.raises(kubernetes_validate.ValidationError, match="container"):
        custom_objects.validate(document)


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_the_programs_accept_what_the_operator_sets(text, way):
    made, document, _ = read(text, way)
    configs = [tf_config.parse(value) for value in operators_tf_configs(document)]
    for config in configs:
        tf_config.validate(config, way, check_port=False)
    assert {c.name for c in configs} == {task.name for task in made.tasks}
    assert '"name": "TF_CONFIG"' not in json.dumps(document)
    # The command shows the same addresses, if it knows the namespace.
    if document["metadata"].get("namespace"):
        assert dict(configs[0].training_cluster) == dict(made.cluster)


def test_a_tf_config_of_the_manifest_is_left_to_the_operator():
    text = manifests.COLLECTIVE.replace(
        "image: reg", "env: [{name: TF_CONFIG, value: x}], image: reg"
    )
    _, document, notes = read(text, "multi_worker_mirrored")
    assert '"name": "TF_CONFIG"' not in json.dumps(document)
    assert "worker: its own TF_CONFIG is replaced." in notes


def test_the_container_and_its_port_have_the_operators_names():
    text = manifests.COLLECTIVE.replace(
        "{name: tensorflow, ",
        "{name: main, ports: [{containerPort: 2222}, {containerPort: 6006}], ",
    )
    _, document, _ = read(text, "multi_worker_mirrored")
    worker = document["spec"]["tfReplicaSpecs"]["Worker"]
    (container,) = worker["template"]["spec"]["containers"]
    assert container["name"] == "tensorflow"
    assert container["ports"] == [
        {"name": "tfjob-port", "containerPort": 2222},
        {"containerPort": 6006},
    ]


def test_a_port_of_an_old_version_is_kept():
    _, document, _ = read(manifests.FIRST_VERSION, "multi_worker_mirrored")
    (chief, _) = operators_tf_configs(document)
    assert tf_config.parse(chief).address.endswith(":3333")


def test_nothing_is_ended_before_its_work():
    _, document, notes = read(manifests.TFJOB)
    assert document["spec"]["runPolicy"]["cleanPodPolicy"] == "None"
    assert any("would end the evaluator with the chief" in note for note in notes)
    text = manifests.TFJOB.replace("    Evaluator: {template: *trainer}\n", "")
    _, document, notes = read(text)
    assert document["spec"]["runPolicy"]["cleanPodPolicy"] == "Running"
    assert not any("would end the evaluator" in note for note in notes)
    _, document, _ = read(text, "multi_worker_mirrored")
    assert document["spec"]["runPolicy"]["cleanPodPolicy"] == "None"


def test_restarts_are_those_of_the_old_job():
    text = manifests.TFJOB.replace(
        "Worker: {replicas: 2, restartPolicy: OnFailure",
        "Worker: {replicas: 2, restartPolicy: Always",
    )
    _, document, notes = read(text)
    specs = document["spec"]["tfReplicaSpecs"]
    assert {name: spec["restartPolicy"] for name, spec in specs.items()} == {
        "Chief": "OnFailure", "Worker": "OnFailure", "PS": "ExitCode", "Evaluator": "Never",
    }  # fmt: skip
    assert any(note.startswith("worker: restartPolicy Always is OnFailure") for note in notes)
    policy = document["spec"]["runPolicy"]
    assert (policy["backoffLimit"], policy["activeDeadlineSeconds"]) == (3, 86400)


def test_a_name_that_is_no_host_name():
    text = manifests.COLLECTIVE.replace("name: mirrored", f"name: {'x' * 60}")
    with pytest.raises(cli.UsageError, match="--name"):
        read(text)
