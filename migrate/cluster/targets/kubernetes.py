"""Writes plain Kubernetes objects: a headless Service, policies, and Indexed Jobs.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=kubernetes

Each type of task has an Indexed Job. The pod of index I of the Job NAME-worker has the host name
NAME-worker-I, and the Service makes that NAME-worker-I.NAME in DNS
(https://kubernetes.io/docs/tasks/job/job-with-pod-to-pod-communication/). Thus the cluster is known
in advance.

The Jobs need Kubernetes 1.24, and for restartPolicy ExitCode 1.29. The schemas of earlier versions
require more fields of a podFailurePolicy than its controller does.
"""

from __future__ import annotations

from typing import Any

from migrate.cluster import yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, pods
from migrate.cluster.targets.base import Notes

SUFFIX = ".yaml"


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns the task's DNS name within the job's namespace, and its port."""
    port = workload.template(task_type).port
    return f"{workload.name}-{task_type}-{index}.{workload.name}:{port}"


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the Service, the policies and the Jobs.

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
    host_names = [f"{workload.name}-{task.name}" for task in conversion.tasks]
    pods.check_name(workload.name, max(host_names, key=len))
    documents = [_service(workload, types), *pods.policies(conversion, workload, notes)]
    documents += [_job(conversion, workload, task_type, notes) for task_type in types]
    lines = [*base.heading(conversion, workload), *_ends(conversion, workload)]
    return base.comment(lines) + yaml_files.text(documents)


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


def _service(workload: Workload, types: list[str]) -> dict[str, Any]:
    ports = sorted({workload.template(task_type).port for task_type in types})
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": pods.metadata(workload, workload.name),
        "spec": {
            "clusterIP": "None",
            # Tasks look up each other before any of them is ready.
            "publishNotReadyAddresses": True,
            "selector": {pods.INSTANCE: workload.name},
            "ports": [{"name": f"tensorflow-{port}", "port": port} for port in ports],
        },
    }


def _job(
    conversion: Conversion, workload: Workload, task_type: str, notes: Notes
) -> dict[str, Any]:
    spec = pods.job(conversion, workload, task_type, notes)
    spec["template"]["spec"]["subdomain"] = workload.name
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": pods.metadata(workload, f"{workload.name}-{task_type}"),
        "spec": spec,
    }
