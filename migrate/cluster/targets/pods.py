"""Kubernetes objects that several targets share: pod templates, Jobs, and policies.

    spec = pods.job(conversion, workload, "worker", notes)

The labels app.kubernetes.io/instance (the job) and app.kubernetes.io/component (the type of task)
select the pods. The pods of an Indexed Job differ only in their index. The Job's controller writes
it into an annotation of each pod, and Kubernetes itself puts it into TF_CONFIG. Image and command
stay unchanged.

TensorFlow's servers execute each request that reaches them, without authentication. So the
NetworkPolicy admits connections from pods of the job alone
(https://kubernetes.io/docs/concepts/services-networking/network-policies/).

A stopped process still accepts connections, because its kernel does. So the liveness probe waits
for an answer of the task's server (modern/cluster/health.py). Kubernetes runs the probe in the
container. Thus only programs of this project get one, because their images have that module.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from migrate.cluster import marks
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.workload import Template, Workload
from migrate.cluster.targets import base, containers
from migrate.cluster.targets.base import Notes
from modern.process import cli

INSTANCE = "app.kubernetes.io/instance"
COMPONENT = "app.kubernetes.io/component"
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
# Packages of this project. Each of them needs `modern`, which has the health check.
_PACKAGES = ("legacy", "migrate", "modern")
# A server starts after its program's imports. Those of synchronous workers first wait for each
# other, at most ten minutes. The probe allows half an hour.
_STARTUP = {"periodSeconds": 10, "timeoutSeconds": 15, "failureThreshold": 180}
_LIVENESS = {"periodSeconds": 30, "timeoutSeconds": 15, "failureThreshold": 6}


def check_name(name: str, longest: str) -> None:
    """Refuses a job's name that cannot be part of a host name.

    Args:
      name: Name of the job.
      longest: The longest name that Kubernetes makes of it.

    Raises:
      cli.UsageError: The name does not fit.
    """
    if not _DNS_LABEL.match(name) or name[0].isdigit() or len(longest) > _LONGEST:
        raise cli.UsageError(
            f"the job's name {name!r} cannot be part of the host name {longest!r}: small letters, "
            f"digits and hyphens, a letter first, at most {_LONGEST} characters in all. Choose "
            "another with --name."
        )


def metadata(workload: Workload, name: str) -> dict[str, Any]:
    """Returns the metadata of an object of the job."""
    fields: dict[str, Any] = {"name": name}
    if workload.namespace:
        fields["namespace"] = workload.namespace
    fields["labels"] = {**workload.labels, INSTANCE: workload.name}
    if workload.annotations:
        fields["annotations"] = dict(workload.annotations)
    return fields


def policies(conversion: Conversion, workload: Workload, notes: Notes) -> list[dict[str, Any]]:
    """Returns a NetworkPolicy and a PodDisruptionBudget for the job's pods.

    They precede the pods in a file, so that they are in force before the first task listens.

    Args:
      conversion: Conversion of the job.
      workload: Workload with a template for each type of task.
      notes: Receives notes on ports that the NetworkPolicy closes.
    """
    types = base.types(conversion)
    return [_network_policy(workload, types, notes), _disruption_budget(conversion, workload)]


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
    selector = {"podSelector": {"matchLabels": {INSTANCE: workload.name}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(workload, workload.name),
        # All ports: collective operations on GPUs open more of them.
        "spec": {**selector, "policyTypes": ["Ingress"], "ingress": [{"from": [selector]}]},
    }


def _disruption_budget(conversion: Conversion, workload: Workload) -> dict[str, Any]:
    """Returns a budget that admits no eviction of a task whose loss ends or rewinds the training.

    A worker of ParameterServerStrategy may go: the others get its steps.
    """
    needed_types = [
        t
        for t in base.types(conversion)
        if t in (("chief", "ps") if conversion.way == "parameter_server" else ("chief", "worker"))
    ]
    selector = {
        "matchLabels": {INSTANCE: workload.name},
        "matchExpressions": [{"key": COMPONENT, "operator": "In", "values": needed_types}],
    }
    # Kubernetes supports no percentage and no maxUnavailable for pods of a Job or of an operator:
    # https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors
    count = sum(base.count(conversion, task_type) for task_type in needed_types)
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata(workload, workload.name),
        "spec": {"minAvailable": count, "selector": selector},
    }


def restart_policy(template: Template, task_type: str, notes: Notes) -> str:
    """Returns a TFJob's restartPolicy for a program that ends with its training."""
    if template.restart != "Always":
        return template.restart
    notes.add("restartPolicy Always is OnFailure: a pod that has ended with 0 is done.", task_type)
    return "OnFailure"


def pod(workload: Workload, task_type: str, notes: Notes) -> dict[str, Any]:
    """Returns the pod template of a type of task, with labels, probes and time to save.

    Args:
      workload: Workload with a template for each type of task.
      task_type: Type of the tasks.
      notes: Receives notes on replaced settings.

    Returns:
      A PodTemplateSpec without TF_CONFIG and restartPolicy.
    """
    template = workload.template(task_type)
    result = copy.deepcopy(dict(template.pod))
    fields, spec = result.pop("metadata", None) or {}, result.pop("spec")
    own_labels = {INSTANCE: workload.name, COMPONENT: task_type}
    fields["labels"] = {**(fields.get("labels") or {}), **own_labels}
    for key in ("hostname", "subdomain"):
        if spec.pop(key, None):
            notes.add(f"not carried over: {key}: TF_CONFIG has other host names.", task_type)
    spec.setdefault("terminationGracePeriodSeconds", containers.GRACE_S)
    _rename_gpus(spec, task_type, notes)
    container = workloads.main_container({"spec": spec})
    env = container.get("env") or []
    own_env = [entry for entry in env if entry["name"] != "TF_CONFIG"]
    if len(own_env) < len(env):
        container["env"] = own_env
        notes.add("its own TF_CONFIG is replaced.", task_type)
    for key, value in _probes(container, task_type, template.port).items():
        container.setdefault(key, value)
    return {"metadata": fields, "spec": spec, **result}


def _rename_gpus(spec: Mapping[str, Any], task_type: str, notes: Notes) -> None:
    for container in (*spec["containers"], *(spec.get("initContainers") or ())):
        resources = container.get("resources") or {}
        for amounts in (resources.get("requests") or {}, resources.get("limits") or {}):
            if _OLD_GPU in amounts:
                amounts[_GPU] = amounts.pop(_OLD_GPU)
                notes.add(f"{_OLD_GPU} is {_GPU} now: Kubernetes 1.11 dropped it.", task_type)


def _probes(container: Mapping[str, Any], task_type: str, port: int) -> dict[str, Any]:
    """Returns probes of the task's server, for a program of this project."""
    words = [str(w) for key in ("command", "args") for w in container.get(key) or ()]
    interpreter = next(
        (
            first
            for first, option, module in zip(words, words[1:], words[2:], strict=False)
            if option == "-m" and module.partition(".")[0] in _PACKAGES
        ),
        None,
    )
    if interpreter is None or task_type == "evaluator":  # An evaluator has no server.
        return {}
    check = (
        "import sys; from modern.cluster import health; "
        f"sys.exit(not health.answers('localhost:{port}', 10))"
    )
    probe = {"exec": {"command": [interpreter, "-c", check]}}
    return {"startupProbe": {**probe, **_STARTUP}, "livenessProbe": {**probe, **_LIVENESS}}


def job(conversion: Conversion, workload: Workload, task_type: str, notes: Notes) -> dict[str, Any]:
    """Returns the spec of an Indexed Job that runs the tasks of a type.

    Args:
      conversion: Conversion with the addresses of the tasks.
      workload: Workload with a template for each type of task. Its policy applies to the Job.
      task_type: Type of the tasks.
      notes: Receives notes on differences.
    """
    number = base.count(conversion, task_type)
    restart = restart_policy(workload.template(task_type), task_type, notes)
    template = pod(workload, task_type, notes)
    spec = template["spec"]
    _note_differences(template, task_type, notes)
    spec["restartPolicy"] = "OnFailure" if restart == "OnFailure" else "Never"
    container = workloads.main_container(template)
    # The index precedes TF_CONFIG, because a value can refer only to earlier variables.
    container["env"] = [
        *(e for e in container.get("env") or () if e["name"] != marks.INDEX_VARIABLE),
        {"name": marks.INDEX_VARIABLE, "valueFrom": {"fieldRef": {"fieldPath": _INDEX_PATH}}},
        {"name": "TF_CONFIG", "value": _tf_config(conversion, task_type)},
    ]
    return {
        "completionMode": "Indexed",
        "completions": number,
        "parallelism": number,
        **workload.policy,
        **_failures(restart, container["name"], workload.policy),
        "template": template,
    }


def _failures(restart: str, container: str, policy: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a Job that replace a TFJob's restartPolicy."""
    if restart == "Never":
        return {"backoffLimit": 0}
    # The operator limits restarts only if a limit is set. A Job has a default limit of 6 for all
    # its pods together. One restart of eight workers would exceed it.
    limit = {} if "backoffLimit" in policy else {"backoffLimit": _UNLIMITED}
    if restart != "ExitCode":
        return limit
    rule = {"containerName": container, "operator": "In", "values": _PERMANENT}
    rules = [{"action": "FailJob", "onExitCodes": rule}]
    return {**limit, "podFailurePolicy": {"rules": rules}}


def _note_differences(template: Mapping[str, Any], task_type: str, notes: Notes) -> None:
    """Adds notes on settings that have another meaning in a Job."""
    spec, labels = template["spec"], template["metadata"]["labels"]
    main = workloads.main_container(template)
    other_names = [c["name"] for c in spec["containers"] if c is not main]
    if other_names:
        notes.add(
            f"the containers {', '.join(other_names)}: a Job's pod is done when all of its "
            f"containers have ended, a TFJob's was with {main['name']}. What runs for ever goes "
            "into initContainers, with restartPolicy: Always (Kubernetes 1.29).",
            task_type,
        )
    for label in dict.fromkeys(_selector_labels(spec)):
        if _OPERATORS_LABEL.match(label) and label not in labels:
            notes.add(
                f"it selects pods by the label {label}, which the TFJob's operator wrote and "
                f"nothing writes here. Select by {INSTANCE}: {labels[INSTANCE]}, and by "
                f"{COMPONENT}: {labels[COMPONENT]}.",
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
