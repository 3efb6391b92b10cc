"""Tests of `containers`, which splits a pod template for targets that run no pods."""

import copy

import pytest

from migrate.cluster.targets import containers
from modern.process import cli
from modern.training import interruption
from tests.migrate.cluster import manifests


def template(task_type="worker"):
    return manifests.read(manifests.TFJOB).workload.templates[task_type]


def test_servers_end_before_they_are_killed():
    """A trainer that saves needs them."""
    assert interruption.SERVE_S < containers.GRACE_S


def test_a_template_is_taken_apart_and_nothing_is_lost():
    before = copy.deepcopy(template())
    parts = containers.take(template())
    assert (parts.command, parts.args) == (
        ["python", "train.py"],
        ["--model_dir=/mnt/mnist", "--price=$5"],
    )
    assert parts.env == {"MODEL_DIR": "/mnt/mnist", "RATE": "1e-3"}
    assert (parts.cpus, parts.memory, parts.gpus) == (4, 8 * 2**30, 1)
    assert (parts.gpu_kind, parts.working_dir) == ("nvidia.com/gpu", "/src")
    ((volume, mount),) = parts.mounts
    assert (volume["persistentVolumeClaim"], mount["mountPath"]) == ({"claimName": "claim"}, "/mnt")
    fields = ("spec.affinity", "spec.topologySpreadConstraints", "spec.initContainers")
    assert [line for line in parts.rest if not line.startswith(fields)] == [
        'metadata.annotations: {"sidecar.istio.io/inject": "false"}',
        'metadata.labels: {"tier": "train"}',
        "spec.serviceAccountName: trainer",
        'spec.tolerations: [{"key": "gpu", "operator": "Exists"}]',
        'spec.containers[0].env: [{"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": '
        '"secrets", "key": "token"}}}]',
    ]
    assert sum(line.startswith(fields) for line in parts.rest) == len(fields)
    assert template() == before


def test_what_is_requested_counts_where_there_is_no_limit():
    parts = containers.take(template("ps"))
    assert (parts.cpus, parts.memory, parts.gpus) == (0.5, 2 * 2**30, 0)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("500m", 0.5),
        ("2", 2),
        (2, 2),
        ("1Gi", 2**30),
        ("1G", 1e9),
        ("1e3", 1e3),
        ("1.5Mi", 1572864),
    ],
)
def test_amounts(text, number):
    assert containers.amount(text) == number


@pytest.mark.parametrize("text", ["lots", "4GB", "", "-1", "inf", "nan", "1e999"])
def test_no_amounts(text):
    with pytest.raises(cli.UsageError, match="the invalid amount"):
        containers.amount(text)


def test_other_containers_volumes_and_resources_are_left():
    made = template()
    spec = made.pod["spec"]
    spec["containers"].insert(0, {"name": "sidecar", "image": "s"})
    spec["volumes"].append({"name": "tmp", "emptyDir": {"medium": "Memory"}})
    spec["containers"][1]["resources"]["limits"]["ephemeral-storage"] = "1Gi"
    rest = containers.take(made).rest
    assert "spec.containers[0].name: sidecar" in rest
    assert 'spec.containers[1].resources: {"ephemeral-storage": "1Gi"}' in rest
    assert 'spec.volumes: [{"name": "tmp", "emptyDir": {"medium": "Memory"}}]' in rest
