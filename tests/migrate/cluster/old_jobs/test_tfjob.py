"""Tests of `migrate.cluster.old_jobs.tfjob`, which reads a Kubeflow TFJob."""

import copy

import pytest

from migrate.cluster import conversion, yaml_files
from migrate.cluster.old_jobs import jobs, tfjob
from modern.process import cli
from tests.migrate.cluster import manifests


def test_the_tasks_are_those_that_the_operator_starts():
    job = manifests.read(manifests.TFJOB)
    assert [task.name for task in job.tasks] == [
        "chief-0", "worker-0", "worker-1", "ps-0", "evaluator-0",
    ]  # fmt: skip
    assert job.cluster["worker"] == (
        "mnist-worker-0.research.svc:2222",
        "mnist-worker-1.research.svc:2222",
    )
    assert jobs.problems(job, "legacy") == []


def test_the_manifest_is_left_as_it_is():
    (document,) = yaml_files.parse(manifests.TFJOB)
    before = copy.deepcopy(document)
    tfjob.read(document, "mnist.yaml")
    assert document == before


def test_what_a_job_says_too_is_kept_and_the_rest_named():
    workload = manifests.read(manifests.TFJOB).workload
    assert workload.policy == {
        "activeDeadlineSeconds": 86400, "backoffLimit": 3, "ttlSecondsAfterFinished": 3600,
    }  # fmt: skip
    assert (workload.namespace, workload.labels) == ("research", {"team": "vision"})
    assert [line.partition(" (")[0] for line in workload.dropped_fields] == [
        "not carried over: spec.runPolicy.cleanPodPolicy: Running",
        "not carried over: spec.runPolicy.schedulingPolicy.queue: gpu",
    ]
    restarts = {t: template.restart for t, template in workload.templates.items()}
    assert restarts == {
        "chief": "OnFailure", "worker": "OnFailure", "ps": "ExitCode", "evaluator": "Never",
    }  # fmt: skip


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2", "v1alpha2", "v1"])
def test_older_versions_have_the_policy_in_the_spec(version):
    text = manifests.COLLECTIVE.replace("org/v1", f"org/{version}").replace(
        "  tfReplicaSpecs", "  backoffLimit: 2\n  cleanPodPolicy: All\n  tfReplicaSpecs"
    )
    workload = manifests.read(text).workload
    assert workload.policy == {"backoffLimit": 2}
    assert workload.dropped_fields[0].startswith("not carried over: spec.cleanPodPolicy: All (")


def test_the_first_version():
    job = manifests.read(manifests.FIRST_VERSION)
    assert [task.name for task in job.tasks] == ["chief-0", "worker-0", "ps-0", "ps-1"]
    assert job.tasks[0].chief_name == "master"
    assert job.cluster["chief"] == ("old-master-0:3333",)
    assert job.workload.templates["chief"].restart == "OnFailure"
    assert (
        "the operator ran a server of its own (the image tensorflow/"
        in job.workload.dropped_fields[0]
    )


def test_unknown_fields_are_named():
    text = manifests.COLLECTIVE.replace("replicas: 3", "replicas: 3\n      surprise: {a: 1}")
    text = text.replace("{name: mirrored}", "{name: mirrored, finalizers: [x]}")
    assert manifests.read(text).workload.dropped_fields == (
        'worker: not carried over: surprise: {"a": 1}',
        'not carried over: metadata.finalizers: ["x"]',
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("replicas: 3", "replicas: three", "replicas: 'three' for worker"),
        ("Worker:", "Wroker:", "unknown replica type 'wroker'"),
        ("Worker:", "PS:", "no Chief and no Worker"),
        ("Worker:\n      replicas: 3", "Chief:\n      replicas: 2", "2 replicas of chief"),
        ("tfReplicaSpecs", "pytorchReplicaSpecs", "no spec.tfReplicaSpecs"),
        ("{name: mirrored}", "{}", "metadata.name is ''"),
        ("replicas: 3", "restartPolicy: Sometimes", "restartPolicy: 'Sometimes'"),
        ("[{name: tensorflow,", "[{name: b}, {name: a,", "no container named 'tensorflow'"),
    ],
)
def test_a_manifest_that_cannot_be_meant(old, new, message):
    job = manifests.read(manifests.COLLECTIVE.replace(old, new))
    assert message in job.errors[0]
    assert job.errors[0].startswith("mnist.yaml: ")


def test_a_chief_beside_a_master():
    text = manifests.TFJOB.replace("    PS:", "    Master: {template: *trainer}\n    PS:")
    assert "a Chief and a Master" in manifests.read(text).errors[0]


def test_a_missing_template():
    text = manifests.TFJOB.replace("{template: *trainer}", "{}")
    assert "no template for the type evaluator" in manifests.read(text).errors[0]


def test_a_worker_count_of_zero():
    text = manifests.TFJOB.replace("replicas: 2", "replicas: 0")
    assert "worker" not in manifests.read(text).cluster


def test_an_anchor_that_several_types_share_says_the_same_of_each():
    text = manifests.FIRST_VERSION.replace("template: {spec", "template: &pod {spec", 1)
    text = text.replace(
        "template: {spec: {containers: [{name: tensorflow, image: i}], restartPolicy: OnFailure}}",
        "template: *pod",
    )
    assert "*pod" in text
    templates = manifests.read(text).workload.templates
    assert {t.restart for t in templates.values()} == {"OnFailure"}


def test_the_very_first_spelling():
    text = manifests.FIRST_VERSION.replace("replicaSpecs", "replica_specs")
    text = text.replace("tfReplicaType", "tf_replica_type").replace("tfPort", "tf_port")
    text = text.replace("tfImage", "tf_image")
    assert "Replica" not in text
    job, later = manifests.read(text), manifests.read(manifests.FIRST_VERSION)
    assert (job.tasks, job.workload) == (later.tasks, later.workload)


@pytest.mark.parametrize("task_type", ["Chief", "Worker", "Master"])
def test_the_only_task_gets_no_tf_config_from_its_operator(task_type):
    text = manifests.COLLECTIVE.replace("replicas: 3", "replicas: 1").replace("Worker", task_type)
    job = manifests.read(text)
    assert (job.tasks, job.trainers, jobs.problems(job, "legacy")) == ((), 1, [])
    with pytest.raises(
        cli.UsageError, match="mirrored has one task, to which its operator gives no"
    ):
        conversion.convert(job, "parameter_server")


def test_a_policy_that_jobs_have_anyway_is_not_called_lost():
    text = manifests.TFJOB.replace("cleanPodPolicy: Running", "cleanPodPolicy: None")
    assert not any(
        "cleanPodPolicy" in line for line in manifests.read(text).workload.dropped_fields
    )
