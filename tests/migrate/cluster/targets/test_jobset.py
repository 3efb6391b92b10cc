"""Tests of `migrate.cluster.targets.jobset`, which writes a JobSet."""

import jsonschema
import kubernetes_validate
import pytest

from migrate.cluster import conversion, yaml_files
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests
from tests.migrate.cluster.targets import custom_objects, pod_environments


def read(text, way):
    made, written = manifests.written(text, way, "jobset")
    found = yaml_files.parse(written.text)
    assert [d["kind"] for d in found] == ["NetworkPolicy", "PodDisruptionBudget", "JobSet"]
    return made, found


def job_set(text, way="parameter_server"):
    return read(text, way)[1][-1]


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_it_is_valid_by_the_published_schemas(text, way):
    for document in read(text, way)[1]:
        custom_objects.validate(document)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ((), jsonschema.ValidationError),
        (("network",), jsonschema.ValidationError),
        (("successPolicy",), jsonschema.ValidationError),
        (("replicatedJobs", 0), jsonschema.ValidationError),
        (("replicatedJobs", 0, "template", "spec"), kubernetes_validate.ValidationError),
        (
            ("replicatedJobs", 0, "template", "spec", "template", "spec"),
            kubernetes_validate.ValidationError,
        ),
    ],
)
def test_the_schema_would_tell(path, error):
    document = job_set(manifests.TFJOB)
    place = document["spec"]
    for key in path:
        place = place[key]
    place["missspelled"] = 1
    with pytest.raises(error, match="missspelled"):
        custom_objects.validate(document)


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_each_pod_is_its_task_at_its_own_name(text, way):
    made, (*_, document) = read(text, way)
    network = document["spec"]["network"]
    assert network == {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    names = []
    for job in document["spec"]["replicatedJobs"]:
        assert job["replicas"] == 1
        for index, config in enumerate(pod_environments.tf_configs(job["template"])):
            tf_config.validate(config, way, check_port=False)
            names.append(config.name)
            assert config.name == f"{job['name']}-{index}"
            # The API documents <jobSet>-<replicatedJob>-<job-index>-<pod-index>.<subdomain>. The
            # subdomain is the name of the JobSet.
            name = document["metadata"]["name"]
            host = f"{name}-{job['name']}-0-{index}.{name}"
            assert config.address in (None, f"{host}:2222")
    assert names == [task.name for task in made.tasks]


def test_the_end_of_chief_and_evaluator_ends_workers_and_ps():
    spec = job_set(manifests.TFJOB)["spec"]
    assert spec["successPolicy"] == {
        "operator": "All",
        "targetReplicatedJobs": ["chief", "evaluator"],
    }
    spec = job_set(manifests.COLLECTIVE)["spec"]
    assert spec["successPolicy"]["targetReplicatedJobs"] == ["chief"]


def test_synchronous_tasks_end_by_themselves():
    assert "successPolicy" not in job_set(manifests.TFJOB, "multi_worker_mirrored")["spec"]


def test_the_policy_of_the_set_is_not_that_of_its_jobs():
    text = manifests.TFJOB.replace("backoffLimit: 3", "backoffLimit: 3\n    suspend: true")
    spec = job_set(text)["spec"]
    assert (spec["suspend"], spec["ttlSecondsAfterFinished"]) == (True, 3600)
    for job in spec["replicatedJobs"]:
        # The controller would start a Job again that its own ttl has deleted.
        assert not {"suspend", "ttlSecondsAfterFinished"} & set(job["template"]["spec"])
        assert job["template"]["spec"]["activeDeadlineSeconds"] == 86400
    assert not {"suspend", "ttlSecondsAfterFinished"} & set(job_set(manifests.COLLECTIVE)["spec"])


@pytest.mark.parametrize(("length", "fits"), [(46, True), (47, False)])
def test_the_names_of_pods_must_fit(length, fits):
    text = manifests.COLLECTIVE.replace("name: mirrored", f"name: {'x' * length}")
    if fits:
        # A pod is called NAME-worker-0-2-xxxxx, and a name has at most 63 characters.
        assert len(f"{'x' * length}-worker-0-2-abcde") == 63
        job_set(text, "multi_worker_mirrored")
        return
    with pytest.raises(cli.UsageError, match="--name"):
        job_set(text, "multi_worker_mirrored")
