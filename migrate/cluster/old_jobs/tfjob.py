"""Reads a Kubeflow TFJob: kubeflow.org/v1, v1beta1, v1beta2, v1alpha2 and the first, v1alpha1.

>>> pod = {"template": {"spec": {"containers": [{"name": "tensorflow", "image": "i"}]}}}
>>> spec = {"tfReplicaSpecs": {"Master": pod, "Worker": pod}}
>>> job = read({"kind": "TFJob", "metadata": {"name": "mnist"}, "spec": spec}, "mnist.yaml")
>>> job.tasks[0].address, job.tasks[0].chief_name
('mnist-master-0:2222', 'master')

The interpretation of a manifest follows the operator's source,
https://github.com/kubeflow/training-operator (pkg/controller.v1/tensorflow): the replica types'
names in any case, the addresses, the evaluator outside of the cluster, one replica by default,
restartPolicy Never, the port 2222, no TF_CONFIG for a job of one task.
"""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from migrate.cluster.old_jobs import tfjob_shapes
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.jobs import Job, inferred_strategy, tasks_of
from migrate.cluster.old_jobs.workload import Template, Workload

_TYPES = ("chief", "master", "worker", "ps", "evaluator")
# Files of --write get the name.
_NAME = re.compile(r"[A-Za-z0-9][-.\w]*")
# Tasks of one type. A larger number is a mistake, and its TF_CONFIGs would fill the disk.
MOST_TASKS = 1000
PORT_NAME = "tfjob-port"
_RESTARTS = ("Always", "OnFailure", "Never", "ExitCode")
# Field names of the very first TFJobs (mlkube.io, 2017).
_FIRST_NAMES = {
    "replica_specs": "replicaSpecs",
    "termination_policy": "terminationPolicy",
    "tf_image": "tfImage",
    "tf_port": "tfPort",
    "tf_replica_type": "tfReplicaType",
}
# Fields that a Job has under the same names.
_POLICY = ("activeDeadlineSeconds", "backoffLimit", "suspend", "ttlSecondsAfterFinished")
# Fields that the server writes. They describe the old object, not the job.
_SERVERS = (
    "creationTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
)
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
# Advice on fields that have no equivalent elsewhere.
_ADVICE = {
    "cleanPodPolicy": "workers and ps of modern.train end after the chief, and nothing deletes "
    "other tasks that still run",
    "enableDynamicWorker": "the new strategies' clusters do not change while they train",
    "managedBy": "it names a controller of TFJobs",
    "schedulingPolicy": "its queue and gang scheduling need the scheduler's own labels (Kueue, "
    "Volcano) on the new manifests",
    "successPolicy": "a Job succeeds when all of its pods do: watch the workers' Job for "
    "AllWorkers, else the chief's",
    "tensorboard": "run `tensorboard --logdir=MODEL_DIR` beside the job",
    "terminationPolicy": "the job succeeds when its chief (or worker 0) does",
}


class _InvalidTFJob(ValueError):
    """Reports a contradictory manifest. The message names the necessary change."""


def is_tfjob(document: Any) -> bool:
    """Returns true if a YAML document is a TFJob ("TfJob" in the first versions)."""
    return isinstance(document, Mapping) and str(document.get("kind")).lower() == "tfjob"


def read(
    document: Mapping[str, Any],
    where: str,
    *,
    train_distribute: str | None = None,
    evaluator: bool = False,
) -> Job:
    """Reads a TFJob.

    Args:
      document: The parsed manifest, left unchanged.
      where: File of the manifest.
      train_distribute: RunConfig's strategy. None infers it from the cluster.
      evaluator: True if an evaluator runs that the manifest does not name.

    Returns:
      The job, with the tasks that its operator starts. Problems are among its errors.
    """
    fields = _with_later_names(copy.deepcopy(dict(document)))
    problem = tfjob_shapes.problem(fields)
    if problem:
        return Job(where, where, errors=(f"{where}: in the TFJob {problem}",))
    metadata = fields.pop("metadata", None) or {}
    name = metadata.pop("name", None) or (metadata.pop("generateName", None) or "").rstrip("-")
    if not name or not _NAME.fullmatch(name):
        why = (
            f"{where}: the TFJob's metadata.name is {name!r}. Write letters, digits, hyphens, dots "
            "and underscores, a letter or a digit first"
        )
        return Job(where, where, errors=(why,))
    try:
        replicas = _replicas(fields.get("spec") or {})
        templates, counts, notes = _templates(replicas, fields["spec"])
    except _InvalidTFJob as error:
        return Job(name, where, errors=(f"{where}: the TFJob {name} {error}",))
    return _job(
        name, where, metadata, fields, templates, counts, notes, train_distribute, evaluator
    )


def _with_later_names(document: dict[str, Any]) -> dict[str, Any]:
    """Returns the manifest with the field names of kubeflow.org/v1alpha1 and later."""

    def rename(fields: Any) -> Any:
        if not isinstance(fields, Mapping):
            return fields
        return {_FIRST_NAMES.get(key, key): value for key, value in fields.items()}

    spec = rename(document.get("spec"))
    if isinstance(spec, Mapping) and isinstance(spec.get("replicaSpecs"), list):
        spec = {
            **spec,
            "replicaSpecs": [rename(replica_spec) for replica_spec in spec["replicaSpecs"]],
        }
    return {**document, "spec": spec} if "spec" in document else document


def _job(
    name: str,
    where: str,
    metadata: dict[str, Any],
    fields: dict[str, Any],
    templates: dict[str, Template],
    counts: dict[str, int],
    notes: list[str],
    train_distribute: str | None,
    evaluator: bool,
) -> Job:
    policy = _policy(fields["spec"])
    for key in ("apiVersion", "kind", "status"):
        fields.pop(key, None)
    for key in _SERVERS:
        metadata.pop(key, None)
    workload = Workload(
        name,
        metadata.pop("namespace", None),
        metadata.pop("labels", None) or {},
        {k: v for k, v in (metadata.pop("annotations", None) or {}).items() if k != _LAST_APPLIED},
        {"chief" if t == "master" else t: template for t, template in templates.items()},
        policy,
    )
    notes += [
        _with_advice(line) for line in workloads.remaining_fields({"metadata": metadata, **fields})
    ]
    workload = dataclasses.replace(workload, dropped_fields=tuple(notes))
    chief_name = "master" if counts.get("master") else "chief"
    # A master evaluates by itself.
    evaluator = bool(counts.pop("evaluator", 0)) or (evaluator and chief_name != "master")
    cluster = {
        "chief" if t == "master" else t: tuple(
            address(workload, t, index) for index in range(count)
        )
        for t, count in counts.items()
        if count
    }
    tasks = tasks_of(cluster, evaluator=evaluator, chief_name=chief_name)
    strategy = train_distribute or inferred_strategy(tasks[0])
    if len(tasks) == 1:
        tasks = ()  # The operator treats it as local training, and sets no TF_CONFIG.
    names = tuple(task.name for task in tasks)
    return Job(name, where, tasks, names, workload=workload, train_distribute=strategy)


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns the address that the operator assigns to a task: its Service's name, and the port."""
    of_type = "chief" if task_type == "master" else task_type
    domain = f".{workload.namespace}.svc" if workload.namespace else ""
    return f"{workload.name}-{task_type}-{index}{domain}:{workload.template(of_type).port}"


def _replicas(spec: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns the replica spec of each type by its lower-case name, removed from `spec`."""
    if isinstance(spec.get("replicaSpecs"), list):  # v1alpha1
        specs = {}
        for replica_spec in map(dict, spec.pop("replicaSpecs")):
            task_type = str(replica_spec.pop("tfReplicaType", "MASTER"))
            if task_type.lower() in specs:
                raise _InvalidTFJob(f"has two replicaSpecs of the type {task_type}. Make them one")
            specs[task_type.lower()] = replica_spec
    else:
        specs = {
            str(t).lower(): dict(replica_spec or {}) for t, replica_spec in _specs(spec).items()
        }
    unknown = sorted(set(specs) - set(_TYPES))
    if unknown:
        raise _InvalidTFJob(
            f"has the unknown replica type {unknown[0]!r}. Known are Chief, Master, Worker, PS and "
            "Evaluator"
        )
    if {"chief", "master"} <= set(specs):
        raise _InvalidTFJob("has a Chief and a Master, which are one role. Keep the Chief")
    return specs


def _specs(spec: dict[str, Any]) -> Mapping[str, Any]:
    specs = spec.pop("tfReplicaSpecs", None)
    if not isinstance(specs, Mapping) or not specs:
        raise _InvalidTFJob("has no spec.tfReplicaSpecs, so nothing runs. Add a Chief and Workers")
    return specs


def _templates(
    replicas: dict[str, dict[str, Any]], spec: dict[str, Any]
) -> tuple[dict[str, Template], dict[str, int], list[str]]:
    """Returns templates, numbers of tasks, and notes on settings that are not carried over."""
    templates, counts, notes = {}, {}, []
    default_image = spec.pop("tfImage", None)
    for task_type, replica_spec in replicas.items():
        counts[task_type] = _count(task_type, replica_spec.pop("replicas", None))
        pod = replica_spec.pop("template", None)
        port = replica_spec.pop("tfPort", None)
        restart = replica_spec.pop("restartPolicy", None)
        notes += [
            f"{task_type}: not carried over: {line}"
            for line in workloads.remaining_fields(replica_spec)
        ]
        if pod is None:
            if task_type != "ps":
                raise _InvalidTFJob(f"has no template for the type {task_type}. Add it")
            image = f" (the image {default_image})" if default_image else ""
            notes.append(
                f"ps: it has no template: the operator ran a server of its own{image}. The ps runs "
                "the workers' program now, which must serve there as modern.train does"
            )
            continue
        templates[task_type] = _template(task_type, pod, restart, port)
    if not templates or not any(n for t, n in counts.items() if t not in ("ps", "evaluator")):
        raise _InvalidTFJob("has no Chief and no Worker, so nothing trains. Add one")
    return templates, counts, notes


def _count(task_type: str, replicas: Any) -> int:
    count = 1 if replicas is None else replicas
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise _InvalidTFJob(f"has replicas: {count!r} for {task_type}. Write a whole number")
    if count > MOST_TASKS:
        raise _InvalidTFJob(f"has {count} replicas of {task_type}. Write at most {MOST_TASKS}")
    if task_type in ("chief", "master", "evaluator") and count > 1:
        raise _InvalidTFJob(f"has {count} replicas of {task_type}: there is at most one. Write 1")
    return count


def _template(task_type: str, pod: dict[str, Any], restart: Any, port: Any) -> Template:
    pod = copy.deepcopy(pod)  # Several types may share it by a YAML anchor.
    containers = (pod.get("spec") or {}).get("containers") or []
    training_containers = [c for c in containers if c.get("name") == workloads.CONTAINER]
    if not containers or (len(containers) > 1 and not training_containers):
        raise _InvalidTFJob(
            f"has no container named {workloads.CONTAINER!r} for {task_type}, to which its "
            "operator gives TF_CONFIG. Name it so"
        )
    pod_restart = pod["spec"].pop("restartPolicy", None)  # The TFJob's policy precedes the pod's.
    restart = restart or pod_restart or "Never"
    if restart not in _RESTARTS:
        raise _InvalidTFJob(
            f"has restartPolicy: {restart!r} for {task_type}. It is one of {_RESTARTS}"
        )
    for container_port in workloads.main_container(pod).get("ports") or ():
        if container_port.get("name") == PORT_NAME:
            port = container_port["containerPort"]
    return Template(pod, restart, port or workloads.PORT)


def _policy(spec: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields that a Job has too.

    They are in spec.runPolicy or, in older versions, in the spec itself.
    """
    run_policy = spec.get("runPolicy") or {}
    for place in (spec, run_policy):
        if place.get("cleanPodPolicy") == "None":
            del place["cleanPodPolicy"]  # Nothing deletes the pods of a Job either.
    return {key: place.pop(key) for key in _POLICY for place in (spec, run_policy) if key in place}


def _with_advice(line: str) -> str:
    advice = next((text for key, text in _ADVICE.items() if f".{key}" in line), None)
    return f"not carried over: {line}" + (f" ({advice})" if advice else "")
