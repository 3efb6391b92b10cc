"""Tests of `migrate.cluster.targets.trainjob`, which writes a TrainJob and its TrainingRuntime."""

import jsonschema
import pytest

from migrate.cluster import conversion, yaml_files
from modern.cluster import tf_config
from tests.migrate.cluster import manifests
from tests.migrate.cluster.targets import custom_objects, pod_environments

ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"


def read(text, way="parameter_server"):
    made, written = manifests.written(text, way, "trainjob")
    *policies, runtime, train_job = yaml_files.parse(written.text)
    assert [d["kind"] for d in policies] == ["NetworkPolicy", "PodDisruptionBudget"]
    return made, runtime, train_job, written.notes


def jobs(runtime):
    return {job["name"]: job["template"] for job in custom_objects.replicated_jobs(runtime)}


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_it_is_valid_by_the_published_schemas(text, way):
    _, runtime, train_job, _ = read(text, way)
    custom_objects.validate(runtime)
    custom_objects.validate(train_job)


def test_the_schema_would_tell():
    _, runtime, train_job, _ = read(manifests.TFJOB)
    train_job["spec"]["runtimeReff"] = train_job["spec"].pop("runtimeRef")
    with pytest.raises(jsonschema.ValidationError, match="runtimeRef"):
        custom_objects.validate(train_job)
    runtime["spec"]["mlPolicy"]["numNode"] = 1
    with pytest.raises(jsonschema.ValidationError, match="numNode"):
        custom_objects.validate(runtime)


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_each_pod_is_its_task_at_its_own_name(text, way):
    made, runtime, train_job, _ = read(text, way)
    name = train_job["metadata"]["name"]
    configs = [c for job in jobs(runtime).values() for c in pod_environments.tf_configs(job)]
    for config in configs:
        tf_config.validate(config, way, check_port=False)
        # Trainer gives the JobSet the name of the TrainJob, which is also its subdomain.
        host = f"{name}-{config.task_type}-0-{config.task_index}.{name}"
        assert config.address in (None, f"{host}:2222")
    assert [c.name for c in configs] == [task.name for task in made.tasks]


@pytest.mark.parametrize("way", conversion.WAYS)
def test_the_workers_are_the_nodes_of_the_trainer(way):
    made, runtime, train_job, notes = read(manifests.TFJOB, way)
    marked = [
        t
        for t, job in jobs(runtime).items()
        if ANCESTOR in job.get("metadata", {}).get("labels", {})
    ]
    assert marked == ["worker"]
    assert jobs(runtime)["worker"]["metadata"]["labels"][ANCESTOR] == "trainer"
    # The webhook requires a container of this name there.
    assert pod_environments.main_container(jobs(runtime)["worker"])["name"] == "node"
    count = len(made.cluster["worker"])
    assert runtime["spec"]["mlPolicy"] == {"numNodes": count}
    assert jobs(runtime)["worker"]["spec"]["completions"] == count
    assert any(
        note.startswith(f"worker: the TrainJob must keep numNodes: {count}") for note in notes
    )
    # A trainer in the TrainJob would replace the image or the number of nodes.
    assert "trainer" not in train_job["spec"]


def test_the_train_job_names_its_runtime():
    _, runtime, train_job, _ = read(manifests.TFJOB)
    reference = train_job["spec"]["runtimeRef"]
    # The default kind is ClusterTrainingRuntime.
    assert (reference["kind"], reference["name"]) == ("TrainingRuntime", "mnist")
    assert runtime["kind"] == reference["kind"]
    assert runtime["metadata"]["name"] == reference["name"]
    assert runtime["metadata"]["namespace"] == train_job["metadata"]["namespace"] == "research"
    assert runtime["apiVersion"].startswith(f"{reference['apiGroup']}/")


def test_suspend_belongs_to_the_train_job():
    text = manifests.TFJOB.replace("backoffLimit: 3", "backoffLimit: 3\n    suspend: true")
    _, runtime, train_job, _ = read(text)
    assert train_job["spec"]["suspend"] is True
    # Trainer sets that of the JobSet.
    assert "suspend" not in runtime["spec"]["template"]["spec"]


def test_a_failure_policy_names_the_container_of_the_node():
    text = manifests.TFJOB.replace(
        "Worker: {replicas: 2, restartPolicy: OnFailure", "Worker: {restartPolicy: ExitCode"
    )
    _, runtime, _, _ = read(text)
    for task_type, container in (("worker", "node"), ("ps", "tensorflow")):
        job = jobs(runtime)[task_type]
        assert pod_environments.main_container(job)["name"] == container
        (rule,) = job["spec"]["podFailurePolicy"]["rules"]
        assert rule["onExitCodes"]["containerName"] == container


def test_only_workers_keep_their_priority():
    text = manifests.TFJOB.replace("serviceAccountName: trainer", "priorityClassName: high")
    _, runtime, _, notes = read(text)
    specs = {t: job["spec"]["template"]["spec"] for t, job in jobs(runtime).items()}
    assert [t for t, spec in specs.items() if "priorityClassName" in spec] == ["worker"]
    assert (
        "chief, evaluator: not carried over: priorityClassName: Trainer admits it only for the "
        "workers." in notes
    )
