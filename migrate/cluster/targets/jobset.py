"""Writes a JobSet: an Indexed Job for each type of task, which begin and end together.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=jobset

The JobSet's controller makes the headless Service. The pod of index I of the type worker is
NAME-worker-0-I.NAME in DNS. Under ParameterServerStrategy the JobSet has succeeded when the chief
and the evaluator have, and its controller then ends the workers and the ps. It ends all tasks when
a Job fails for good (https://jobset.sigs.k8s.io/docs/concepts/).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from migrate.cluster import yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, pods
from migrate.cluster.targets.base import Notes

SUFFIX = ".yaml"
# Fields of a TFJob's policy that belong to the Jobs in the set. The others belong to the set.
_OF_JOBS = ("activeDeadlineSeconds", "backoffLimit")
# Tasks that end by themselves under ParameterServerStrategy, also in programs whose workers and ps
# serve for ever. The evaluator evaluates the last checkpoint after the chief has ended.
_ENDING = ("chief", "evaluator")


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns the task's DNS name within the job's namespace, and its port."""
    port = workload.template(task_type).port
    return f"{workload.name}-{task_type}-0-{index}.{workload.name}:{port}"


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the policies and the JobSet.

    Args:
      conversion: Conversion with the addresses of `address`.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      YAML for `kubectl apply -f`.

    Raises:
      cli.UsageError: The job's name cannot be part of a host name.
    """
    suspend = {key: value for key, value in workload.policy.items() if key == "suspend"}
    job_set = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": pods.metadata(workload, workload.name),
        "spec": {**suspend, **spec(conversion, workload, notes)},
    }
    documents = [*pods.policies(conversion, workload, notes), job_set]
    lines = [*base.heading(conversion, workload), "It needs JobSet in the cluster."]
    return base.comment(lines) + yaml_files.text(documents)


def spec(conversion: Conversion, workload: Workload, notes: Notes) -> dict[str, Any]:
    """Returns the spec of the JobSet, without `suspend`.

    Args:
      conversion: Conversion with the addresses of `address`.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Raises:
      cli.UsageError: The job's name cannot be part of a host name.
    """
    # The pod of a host name has five more characters.
    pod_names = [f"{workload.name}-{t.task_type}-0-{t.task_index}-xxxxx" for t in conversion.tasks]
    pods.check_name(workload.name, max(pod_names, key=len))
    types = base.types(conversion)
    of_jobs = {key: value for key, value in workload.policy.items() if key in _OF_JOBS}
    job_workload = dataclasses.replace(workload, policy=of_jobs)
    fields: dict[str, Any] = {
        # Tasks look up each other before any of them is ready.
        "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    }
    if "ttlSecondsAfterFinished" in workload.policy:
        fields["ttlSecondsAfterFinished"] = workload.policy["ttlSecondsAfterFinished"]
    if conversion.way == "parameter_server":
        targets = [task_type for task_type in types if task_type in _ENDING]
        fields["successPolicy"] = {"operator": "All", "targetReplicatedJobs": targets}
    fields["replicatedJobs"] = [
        {
            "name": task_type,
            "replicas": 1,
            "template": {"spec": pods.job(conversion, job_workload, task_type, notes)},
        }
        for task_type in types
    ]
    return fields
