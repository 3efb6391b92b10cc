"""Tests of `migrate.cluster.targets.kubernetes`, which writes a Service, policies and Jobs."""

import shutil
import subprocess

import kubernetes_validate
import pytest

from migrate.cluster import conversion, yaml_files
from migrate.cluster.targets import base
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests
from tests.migrate.cluster.targets import pod_environments


def documents(text, way):
    made, written = manifests.written(text, way, "kubernetes")
    return made, yaml_files.parse(written.text), written.notes


def job_of(found, task_type):
    return next(d for d in found if d["metadata"]["name"].endswith(f"-{task_type}"))


def tf_configs(found):
    """Yields the host name and the TF_CONFIG of each pod."""
    for job in (d for d in found if d["kind"] == "Job"):
        for index, config in enumerate(pod_environments.tf_configs(job)):
            yield f"{job['metadata']['name']}-{index}", config


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
@pytest.mark.parametrize("way", conversion.WAYS)
@pytest.mark.parametrize("version", ["1.29", "1.33", "1.37"])
def test_it_is_valid_by_the_published_schemas(text, way, version):
    _, found, _ = documents(text, way)
    for document in found:
        kubernetes_validate.validate(document, version, strict=True)


def test_the_schema_would_tell():
    _, found, _ = documents(manifests.TFJOB, "parameter_server")
    job = job_of(found, "chief")
    pod_environments.main_container(job)["comand"] = ["python"]
    with pytest.raises(kubernetes_validate.ValidationError, match="comand"):
        kubernetes_validate.validate(job, "1.29", strict=True)


@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
def test_kubectl_reads_it(tmp_path):
    _, written = manifests.written(manifests.TFJOB, "parameter_server", "kubernetes")
    path = tmp_path / "mnist.yaml"
    path.write_text(written.text)
    command = ["kubectl", "label", "--local", "-f", path, "a=b", "-o", "name"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.split() == [
        "service/mnist",
        "networkpolicy.networking.k8s.io/mnist",
        "poddisruptionbudget.policy/mnist",
        *(f"job.batch/mnist-{t}" for t in ("chief", "worker", "ps", "evaluator")),
    ]


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_each_pod_is_its_task_at_its_own_name(text, way):
    made, found, _ = documents(text, way)
    service = found[0]
    name = service["metadata"]["name"]
    seen = {}
    for pod, config in tf_configs(found):
        tf_config.validate(config, way, check_port=False)
        seen[config.name] = pod
        # The pod of an Indexed Job has its name as host name. The Service adds the domain.
        if config.task_type != "evaluator":
            assert config.address == f"{pod}.{name}:2222"
    assert set(seen) == {task.name for task in made.tasks}
    assert service["spec"]["clusterIP"] == "None"
    for job in (d for d in found if d["kind"] == "Job"):
        template = job["spec"]["template"]
        assert template["spec"]["subdomain"] == name
        assert service["spec"]["selector"].items() <= template["metadata"]["labels"].items()


def test_the_coordinator_gives_its_accelerator_to_the_worker_that_stands_in():
    _, found, notes = documents(manifests.TFJOB, "parameter_server")
    limits = pod_environments.main_container(job_of(found, "chief"))["resources"]["limits"]
    assert limits == {"memory": "8Gi", "cpu": "4"}
    assert (
        pod_environments.main_container(job_of(found, "worker"))["resources"]["limits"][
            "nvidia.com/gpu"
        ]
        == 1
    )
    assert job_of(found, "worker")["spec"]["completions"] == 3
    assert any(note.startswith("chief: without nvidia.com/gpu: 1") for note in notes)
    _, found, _ = documents(manifests.TFJOB, "multi_worker_mirrored")
    assert (
        "nvidia.com/gpu"
        in pod_environments.main_container(job_of(found, "chief"))["resources"]["limits"]
    )


def test_the_comment_says_how_the_job_ends():
    _, written = manifests.written(manifests.TFJOB, "parameter_server", "kubernetes")
    assert "#   kubectl -n research delete job/mnist-worker job/mnist-ps" in written.text
    assert "1 chief, 3 worker, 1 ps, and an evaluator beside them; 3 train." in written.text


@pytest.mark.parametrize("name", ["My_Job", "9lives", "x" * 60])
def test_a_name_that_is_no_host_name(name):
    text = manifests.COLLECTIVE.replace("name: mirrored", f"name: {name}")
    with pytest.raises(cli.UsageError, match="--name"):
        manifests.written(text, "multi_worker_mirrored", "kubernetes")


def test_new_types_take_the_templates_of_others():
    made, written = manifests.written(manifests.COLLECTIVE, "parameter_server", "kubernetes")
    assert {task.name for task in made.tasks} > {"chief-0", "ps-0"}
    assert "chief, ps: takes the pod template of the old worker." in written.notes


def test_a_volume_that_is_not_shared_is_said():
    told = "no volume is shared"
    _, written = manifests.written(manifests.COLLECTIVE, "parameter_server", "kubernetes")
    assert any(note.startswith(told) for note in written.notes)
    _, written = manifests.written(manifests.TFJOB, "parameter_server", "kubernetes")
    assert not any(note.startswith(told) for note in written.notes)
    assert base.suffix("kubernetes") == ".yaml"
