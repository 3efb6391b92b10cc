"""Writes a TFJob of Kubeflow's training operator (kubeflow.org/v1), for the new strategies.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=tfjob

The operator gives each task a Service and sets TF_CONFIG, so the file contains neither. It names
the same cluster to each task. An evaluator is in no cluster, as the new strategies need it
(https://github.com/kubeflow/training-operator, pkg/controller.v1/tensorflow/tensorflow.go).
"""

from __future__ import annotations

from typing import Any

from migrate.cluster import yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs import tfjob
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, pods
from migrate.cluster.targets.base import Notes

SUFFIX = ".yaml"
_NAMES = {"chief": "Chief", "worker": "Worker", "ps": "PS", "evaluator": "Evaluator"}


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns the task's address in the TF_CONFIG that the operator sets."""
    return tfjob.address(workload, task_type, index)


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the policies and the TFJob.

    Args:
      conversion: Conversion with the addresses of `address`.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      YAML for `kubectl apply -f`.

    Raises:
      cli.UsageError: The job's name cannot be part of a host name.
    """
    host_names = [f"{workload.name}-{task.name}" for task in conversion.tasks]
    pods.check_name(workload.name, max(host_names, key=len))
    document = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "TFJob",
        "metadata": pods.metadata(workload, workload.name),
        "spec": {
            "runPolicy": {"cleanPodPolicy": _clean_pods(conversion, notes), **workload.policy},
            "tfReplicaSpecs": {
                _NAMES[task_type]: _replicas(conversion, workload, task_type, notes)
                for task_type in base.types(conversion)
            },
        },
    }
    documents = [*pods.policies(conversion, workload, notes), document]
    lines = [
        *base.heading(conversion, workload),
        "It needs Kubeflow's training operator (v1) in the cluster, which sets TF_CONFIG.",
    ]
    return base.comment(lines) + yaml_files.text(documents)


def _clean_pods(conversion: Conversion, notes: Notes) -> str:
    """Returns the policy for pods that still run when the chief, or worker 0, has succeeded.

    Synchronous workers and an evaluator have work left then.
    """
    if conversion.way != "parameter_server":
        return "None"
    if "evaluator" not in base.types(conversion):
        return "Running"
    notes.add(
        "cleanPodPolicy is None, because Running would end the evaluator with the chief, before it "
        "has evaluated the last checkpoint. Workers and ps of modern.train end by themselves. If "
        "those of your program serve for ever, delete the TFJob after the evaluation."
    )
    return "None"


def _replicas(
    conversion: Conversion, workload: Workload, task_type: str, notes: Notes
) -> dict[str, Any]:
    template = workload.template(task_type)
    pod = pods.pod(workload, task_type, notes)
    container = workloads.main_container(pod)
    container["name"] = workloads.CONTAINER
    ports = [p for p in container.get("ports") or () if p.get("name") != tfjob.PORT_NAME]
    others = [p for p in ports if p.get("containerPort") != template.port]
    own_port = {"name": tfjob.PORT_NAME, "containerPort": template.port}
    container["ports"] = [own_port, *others]
    return {
        "replicas": base.count(conversion, task_type),
        "restartPolicy": pods.restart_policy(template, task_type, notes),
        "template": pod,
    }
