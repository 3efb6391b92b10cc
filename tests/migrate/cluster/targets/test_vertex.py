"""Tests of `migrate.cluster.targets.vertex`, which writes a CustomJobSpec of Vertex AI."""

import json

import jsonschema
import pytest

from migrate.cluster import conversion, yaml_files
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests
from tests.migrate.cluster.targets import custom_objects

# Vertex AI's names for the pools of a job, in their order.
POOLS = ("chief", "worker", "ps", "evaluator")


def read(text, way="parameter_server"):
    made, written = manifests.written(text, way, "vertex")
    (document,) = yaml_files.parse(written.text)
    return made, document, written


def validate(document):
    custom_objects.with_schema(document, "custom_job_spec")


def services_tf_configs(document):
    """Yields the TF_CONFIG of each replica, in the form that Vertex AI documents."""
    counts = {
        name: pool["replicaCount"]
        for name, pool in zip(POOLS, document["workerPoolSpecs"], strict=False)
        if pool
    }
    cluster = {
        name: [f"training-workerpool{POOLS.index(name)}-ab-{i}:2222" for i in range(count)]
        for name, count in counts.items()
        if name != "evaluator"
    }
    for name, count in counts.items():
        for index in range(count):
            task = {"type": name, "index": index, "cloud": "an id"}
            value = {"cluster": cluster, "task": task, "environment": "cloud", "job": document}
            yield json.dumps(value)


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_it_is_valid_by_the_published_schema(text, way):
    validate(read(text, way)[1])


@pytest.mark.parametrize(
    ("pool", "key"), [("machineSpec", "machineTyp"), ("containerSpec", "image")]
)
def test_the_schema_would_tell(pool, key):
    _, document, _ = read(manifests.TFJOB)
    document["workerPoolSpecs"][0][pool][key] = "x"
    with pytest.raises(jsonschema.ValidationError, match=key):
        validate(document)


def test_the_schema_knows_the_accelerators():
    _, document, _ = read(manifests.TFJOB)
    document["workerPoolSpecs"][1]["machineSpec"]["acceleratorType"] = "NVIDIA_T4"
    with pytest.raises(jsonschema.ValidationError, match="NVIDIA_T4"):
        validate(document)


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_the_programs_accept_what_the_service_sets(text, way):
    made, document, _ = read(text, way)
    configs = [tf_config.parse(value) for value in services_tf_configs(document)]
    for config in configs:
        tf_config.validate(config, way, check_port=False)
    assert len(configs) == len(made.tasks)
    assert '"name": "TF_CONFIG"' not in json.dumps(document)


def test_the_order_of_the_pools():
    _, document, _ = read(manifests.TFJOB)
    counts = [pool["replicaCount"] for pool in document["workerPoolSpecs"]]
    assert counts == [1, 3, 1, 1]
    _, document, _ = read(manifests.TFJOB, "multi_worker_mirrored")
    counts = [pool.get("replicaCount") for pool in document["workerPoolSpecs"]]
    # "Set an empty value for worker pools that you don't want to use."
    assert counts == [1, 2, None, 1]
    assert document["workerPoolSpecs"][2] == {}


def test_worker_0_is_the_chief_of_workers_alone():
    _, document, written = read(manifests.COLLECTIVE, "multi_worker_mirrored")
    assert [pool["replicaCount"] for pool in document["workerPoolSpecs"]] == [1, 2]
    assert "# Vertex AI calls worker 0 the chief" in written.text


def test_what_a_pool_has():
    _, document, written = read(manifests.TFJOB)
    pool = document["workerPoolSpecs"][1]
    assert pool["machineSpec"] == {
        "machineType": "n1-standard-4", "acceleratorType": "NVIDIA_TESLA_T4", "acceleratorCount": 1,
    }  # fmt: skip
    assert pool["containerSpec"] == {
        "imageUri": "registry/mnist:1",
        "command": ["python", "train.py"],
        "args": ["--model_dir=/mnt/mnist", "--price=$5"],
        "env": [{"name": "MODEL_DIR", "value": "/mnt/mnist"}, {"name": "RATE", "value": "1e-3"}],
    }
    for told in (
        "chief, worker, evaluator: not carried over: the volume data (persistentVolumeClaim)",
        "worker, evaluator: nvidia.com/gpu: 1 is NVIDIA_TESLA_T4",
        "chief, worker, evaluator: not carried over: workingDir: /src",
        "not carried over: ttlSecondsAfterFinished: 3600",
        "evaluator: the job has the state of its first replica",
        "no volume is shared",
    ):
        assert any(note.startswith(told) for note in written.notes), told
    assert document["scheduling"] == {"timeout": "86400s"}


@pytest.mark.parametrize(
    ("limits", "machine"),
    [
        ("cpu: 500m", "n1-highmem-2"),
        ("cpu: 3", "n1-standard-4"),
        ("cpu: 3, memory: 20Gi", "n1-highmem-4"),
        ("cpu: 8, memory: 31Gi", "n1-highmem-8"),
        ("memory: 600Gi", "n1-highmem-96"),
    ],
)
def test_the_smallest_machine_that_suffices(limits, machine):
    text = manifests.COLLECTIVE.replace(
        "image: reg", f"resources: {{limits: {{{limits}}}}}, image: reg"
    )
    _, document, _ = read(text, "multi_worker_mirrored")
    assert document["workerPoolSpecs"][0]["machineSpec"] == {"machineType": machine}


@pytest.mark.parametrize(
    ("limits", "told"),
    [("cpu: 97", "worker needs 97 CPUs"), ("amd.com/gpu: 1", "worker needs amd.com/gpu")],
)
def test_a_machine_that_the_service_does_not_have(limits, told):
    text = manifests.COLLECTIVE.replace(
        "image: reg", f"resources: {{limits: {{{limits}}}}}, image: reg"
    )
    with pytest.raises(cli.UsageError, match=told):
        read(text, "multi_worker_mirrored")


def test_unknown_resources_are_said():
    _, _, written = read(manifests.COLLECTIVE, "multi_worker_mirrored")
    assert "worker: its resources are unknown: n1-standard-4 stands for them." in written.notes


def test_a_task_without_an_image():
    text = manifests.COLLECTIVE.replace("image: registry/two:1, ", "")
    with pytest.raises(cli.UsageError, match="worker has no image: give --image"):
        read(text, "multi_worker_mirrored")


def test_nfs_is_mounted_elsewhere():
    text = manifests.TFJOB.replace(
        "persistentVolumeClaim: {claimName: claim}", "nfs: {server: 10.0.0.1, path: /share}"
    )
    _, document, written = read(text)
    validate(document)
    assert document["workerPoolSpecs"][0]["nfsMounts"] == [
        {"server": "10.0.0.1", "path": "/share", "mountPoint": "data"}
    ]
    assert any("the volume data is at /mnt/nfs/data instead of /mnt" in n for n in written.notes)
    assert not any(note.startswith("no volume is shared") for note in written.notes)


def test_restarts():
    _, document, _ = read(manifests.TFJOB, "multi_worker_mirrored")
    assert document["scheduling"]["restartJobOnWorkerRestart"] is True
    # All templates of this job have the default, Never.
    _, document, _ = read(manifests.COLLECTIVE, "multi_worker_mirrored")
    assert document["scheduling"] == {"disableRetries": True}
