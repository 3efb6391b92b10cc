"""Writes plain Kubernetes objects: a headless Service, a NetworkPolicy, and Indexed Jobs.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=kubernetes

Each type of task has an Indexed Job. The pod of index I of the Job NAME-worker has the host name
NAME-worker-I, and the Service makes that NAME-worker-I.NAME in DNS
(https://kubernetes.io/docs/tasks/job/job-with-pod-to-pod-communication/). Thus the cluster is known
in advance, and the pods of a Job differ only in their index. The Job's controller writes the index
into an annotation of each pod, and Kubernetes itself puts it into TF_CONFIG. Image and command stay
unchanged.

TensorFlow's servers execute each request that reaches them, without authentication. So the
NetworkPolicy admits connections from pods of the job alone
(https://kubernetes.io/docs/concepts/services-networking/network-policies/).

The Jobs need Kubernetes 1.24, and for restartPolicy ExitCode 1.29. The schemas of earlier versions
require more fields of a podFailurePolicy than its controller does.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from migrate.cluster import marks, yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.workload import Template, Workload
from migrate.cluster.targets import base
from migrate.cluster.targets.base import Notes
from modern.process import cli

SUFFIX = ".yaml"
_INSTANCE = "app.kubernetes.io/instance"
_INDEX_PATH = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
_DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
_LONGEST = 63
# A TFJob calls these exit codes permanent. 0 is success, and codes above 127 mean a signal.
_PERMANENT = list(range(1, 128))
_UNLIMITED = 2**31 - 1  # Kubernetes itself writes this for "unlimited" (backoffLimitPerIndex).
_OLD_GPU, _GPU = "alpha.kubernetes.io/nvidia-gpu", "nvidia.com/gpu"
# Labels that the operators of TFJobs write on their pods, in any version.
_OPERATORS_LABEL = re.compile(
    r"training\.kubeflow\.org/|tf[-_](job|replica)|(group|job|controller)[-_]name$|"
    r"replica-(type|index)$|job-role$"
)


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns the task's DNS name within the job's namespace, and its port."""
    port = workload.template(task_type).port
    return f"{workload.name}-{task_type}-{index}.{workload.name}:{port}"


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the Service, the NetworkPolicy and the Jobs.

    Args:
      conversion: Conversion with the addresses of `address`.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      YAML for `kubectl apply -f`.

    Raises:
      cli.UsageError: The job's name cannot be part of a host name.
    """
    types = base.types(conversion)
    _check_name(workload.name, conversion)
    # The policy precedes the pods, so that it is in force before the first of them listens.
    documents = [_service(workload, types), _network_policy(workload, types, notes)]
    documents += [_job(conversion, workload, task_type, notes) for task_type in types]
    ends = _ends(conversion, workload)
    comment = "".join(f"# {line}\n" for line in [*base.heading(conversion, workload), *ends])
    return comment + yaml_files.text(documents)


def _ends(conversion: Conversion, workload: Workload) -> list[str]:
    """Returns comment lines on the end of the job.

    A Job ends when its pods do, and nothing deletes them before that.
    """
    lines = ["The job is done when each of its Jobs is complete."]
    if conversion.way == "parameter_server":
        namespace_flag = f" -n {workload.namespace}" if workload.namespace else ""
        jobs = " ".join(f"job/{workload.name}-{t}" for t in ("worker", "ps"))
        lines += [
            "Workers and ps of modern.train end when the chief has. Where a program has them serve",
            "for ever, and where the chief's Job has failed for good, delete theirs:",
            f"  kubectl{namespace_flag} wait --for=condition=complete --timeout=-1s "
            f"job/{workload.name}-chief",
            f"  kubectl{namespace_flag} delete {jobs}",
        ]
    return lines


def _check_name(name: str, conversion: Conversion) -> None:
    longest = max((f"{name}-{task.name}" for task in conversion.tasks), key=len)
    if not _DNS_LABEL.match(name) or name[0].isdigit() or len(longest) > _LONGEST:
        raise cli.UsageError(
            f"the job's name {name!r} cannot be part of the host name {longest!r}: small letters, "
            f"digits and hyphens, a letter first, at most {_LONGEST} characters in all. Choose "
            "another with --name."
        )


def _metadata(workload: Workload, name: str) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name}
    if workload.namespace:
        metadata["namespace"] = workload.namespace
    metadata["labels"] = {**workload.labels, _INSTANCE: workload.name}
    if workload.annotations:
        metadata["annotations"] = dict(workload.annotations)
    return metadata


def _service(workload: Workload, types: list[str]) -> dict[str, Any]:
    ports = sorted({workload.template(task_type).port for task_type in types})
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": _metadata(workload, workload.name),
        "spec": {
            "clusterIP": "None",
            # Tasks look up each other before any of them is ready.
            "publishNotReadyAddresses": True,
            "selector": {_INSTANCE: workload.name},
            "ports": [{"name": f"tensorflow-{port}", "port": port} for port in ports],
        },
    }


def _network_policy(workload: Workload, types: list[str], notes: Notes) -> dict[str, Any]:
    """Returns a policy that admits connections to the job's pods from the job's pods alone."""
    for task_type in types:
        template = workload.template(task_type)
        for container in template.pod["spec"]["containers"]:
            for port in container.get("ports") or ():
                if port.get("containerPort") not in (None, template.port):
                    notes.add(
                        f"port {port['containerPort']}: the NetworkPolicy admits only pods of the "
                        "job. Add an ingress rule for others, such as a browser or Prometheus.",
                        task_type,
                    )
    pods = {"podSelector": {"matchLabels": {_INSTANCE: workload.name}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": _metadata(workload, workload.name),
        # All ports: collective operations on GPUs open more of them.
        "spec": {**pods, "policyTypes": ["Ingress"], "ingress": [{"from": [pods]}]},
    }


def _job(
    conversion: Conversion, workload: Workload, task_type: str, notes: Notes
) -> dict[str, Any]:
    template = workload.template(task_type)
    number = base.count(conversion, task_type)
    spec = {
        "completionMode": "Indexed",
        "completions": number,
        "parallelism": number,
        **workload.policy,
        **_failures(template, workload, task_type, notes),
        "template": _pod(conversion, workload, template, task_type, notes),
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": _metadata(workload, f"{workload.name}-{task_type}"),
        "spec": spec,
    }


def _failures(
    template: Template, workload: Workload, task_type: str, notes: Notes
) -> dict[str, Any]:
    """Returns the fields of a Job that replace a TFJob's restartPolicy."""
    if template.restart == "Always":
        notes.add(
            "restartPolicy Always is OnFailure: a Job's pod that has ended with 0 is done.",
            task_type,
        )
    if template.restart == "Never":
        return {"backoffLimit": 0}
    # The operator limits restarts only if a limit is set. A Job has a default limit of 6 for all
    # its pods together. One restart of eight workers would exceed it.
    limit = {} if "backoffLimit" in workload.policy else {"backoffLimit": _UNLIMITED}
    if template.restart != "ExitCode":
        return limit
    name = workloads.main_container(template.pod)["name"]
    rule = {"containerName": name, "operator": "In", "values": _PERMANENT}
    rules = [{"action": "FailJob", "onExitCodes": rule}]
    return {**limit, "podFailurePolicy": {"rules": rules}}


def _pod(
    conversion: Conversion, workload: Workload, template: Template, task_type: str, notes: Notes
) -> dict[str, Any]:
    """Returns the pod template with DNS names, TF_CONFIG, and a restartPolicy that Jobs allow."""
    pod = copy.deepcopy(dict(template.pod))
    metadata, spec = pod.pop("metadata", None) or {}, pod.pop("spec")
    metadata["labels"] = {**(metadata.get("labels") or {}), _INSTANCE: workload.name}
    for key in ("hostname", "subdomain"):
        if spec.pop(key, None):
            notes.add(f"not carried over: {key}: it is the Job's and the Service's.", task_type)
    spec["subdomain"] = workload.name
    _note_differences(spec, metadata["labels"], task_type, notes)
    restarts = template.restart in ("Always", "OnFailure")
    spec["restartPolicy"] = "OnFailure" if restarts else "Never"
    container = workloads.main_container({"spec": spec})
    own_env = [entry for entry in container.get("env") or () if entry["name"] != "TF_CONFIG"]
    if len(own_env) < len(container.get("env") or ()):
        notes.add("its own TF_CONFIG is replaced.", task_type)
    # The index precedes TF_CONFIG, because a value can refer only to earlier variables.
    container["env"] = [
        *(entry for entry in own_env if entry["name"] != marks.INDEX_VARIABLE),
        {"name": marks.INDEX_VARIABLE, "valueFrom": {"fieldRef": {"fieldPath": _INDEX_PATH}}},
        {"name": "TF_CONFIG", "value": _tf_config(conversion, task_type)},
    ]
    return {"metadata": metadata, "spec": spec, **pod}


def _note_differences(
    spec: dict[str, Any], labels: Mapping[str, str], task_type: str, notes: Notes
) -> None:
    """Adds notes on settings that have another meaning in a Job, and replaces outdated names."""
    containers = spec["containers"]
    main = workloads.main_container({"spec": spec})
    other_names = [container["name"] for container in containers if container is not main]
    if other_names:
        notes.add(
            f"the containers {', '.join(other_names)}: a Job's pod is done when all of its "
            f"containers have ended, a TFJob's was with {main['name']}. What runs for ever goes "
            "into initContainers, with restartPolicy: Always (Kubernetes 1.29).",
            task_type,
        )
    for container in (*containers, *(spec.get("initContainers") or ())):
        resources = container.get("resources") or {}
        for amounts in (resources.get("requests") or {}, resources.get("limits") or {}):
            if _OLD_GPU in amounts:
                amounts[_GPU] = amounts.pop(_OLD_GPU)
                notes.add(f"{_OLD_GPU} is {_GPU} now: Kubernetes 1.11 dropped it.", task_type)
    for label in dict.fromkeys(_selector_labels(spec)):
        if _OPERATORS_LABEL.match(label) and label not in labels:
            notes.add(
                f"it selects pods by the label {label}, which the TFJob's operator wrote and "
                f"nothing writes here. Select by {_INSTANCE}: {labels[_INSTANCE]}, or by "
                f"batch.kubernetes.io/job-name: {labels[_INSTANCE]}-{task_type}.",
                task_type,
            )


def _selector_labels(spec: Mapping[str, Any]) -> Iterator[str]:
    """Yields the labels by which a pod's affinity and topology spread select pods."""
    affinity = spec.get("affinity") or {}
    terms = list(spec.get("topologySpreadConstraints") or ())
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(kind) or {}
        terms += rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
        preferred = rules.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
        terms += [item.get("podAffinityTerm") or {} for item in preferred]
    for selector in (term.get("labelSelector") or {} for term in terms):
        yield from selector.get("matchLabels") or ()
        yield from (item["key"] for item in selector.get("matchExpressions") or ())


def _tf_config(conversion: Conversion, task_type: str) -> str:
    """Returns TF_CONFIG with a reference that Kubernetes replaces by the pod's index."""
    cluster = json.dumps({t: list(tasks) for t, tasks in conversion.cluster.items()})
    task = f'{{"type": "{task_type}", "index": {marks.INDEX}}}'
    return f'{{"cluster": {cluster}, "task": {task}}}'
