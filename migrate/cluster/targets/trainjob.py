"""Writes a TrainJob of Kubeflow Trainer, and the TrainingRuntime that it needs.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=trainjob

The runtime contains a JobSet (jobset.py), and Trainer starts it under the name of the TrainJob.
Trainer has no plugin for TensorFlow and sets no TF_CONFIG, so the file contains it. Trainer sets
the number of pods of one replicated Job, which the label `trainer` marks. That is the workers'
(https://github.com/kubeflow/trainer, pkg/runtime and pkg/webhooks).
"""

from __future__ import annotations

from typing import Any

from migrate.cluster import yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, jobset, pods
from migrate.cluster.targets.base import Notes

SUFFIX = ".yaml"
_API = "trainer.kubeflow.org"
_VERSION = f"{_API}/v1alpha1"
_ANCESTOR = f"{_API}/trainjob-ancestor-step"
# Trainer's webhook requires this name of the container in the Job that has the label.
_CONTAINER = "node"

address = jobset.address


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the policies, the TrainingRuntime and the TrainJob.

    Args:
      conversion: Conversion with the addresses of `address`.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      YAML for `kubectl apply -f`.

    Raises:
      cli.UsageError: The job's name cannot be part of a host name.
    """
    spec = jobset.spec(conversion, workload, notes)
    for replicated_job in spec["replicatedJobs"]:
        _adapt(replicated_job, notes)
    count = base.count(conversion, "worker")
    notes.add(
        f"the TrainJob must keep numNodes: {count}, because TF_CONFIG names {count} workers. Write "
        "the file again for another number.",
        "worker",
    )
    runtime = {
        "apiVersion": _VERSION,
        "kind": "TrainingRuntime",
        "metadata": pods.metadata(workload, workload.name),
        "spec": {"mlPolicy": {"numNodes": count}, "template": {"spec": spec}},
    }
    reference = {"apiGroup": _API, "kind": "TrainingRuntime", "name": workload.name}
    suspend = {key: value for key, value in workload.policy.items() if key == "suspend"}
    train_job = {
        "apiVersion": _VERSION,
        "kind": "TrainJob",
        "metadata": pods.metadata(workload, workload.name),
        "spec": {"runtimeRef": reference, **suspend},
    }
    # Trainer refuses a TrainJob whose runtime does not exist.
    documents = [*pods.policies(conversion, workload, notes), runtime, train_job]
    lines = [*base.heading(conversion, workload), "It needs Kubeflow Trainer in the cluster."]
    return base.comment(lines) + yaml_files.text(documents)


def _adapt(replicated_job: dict[str, Any], notes: Notes) -> None:
    """Marks the workers' Job as the trainer, and fulfills what Trainer's webhook requires."""
    job = replicated_job["template"]["spec"]
    if replicated_job["name"] != "worker":
        if job["template"]["spec"].pop("priorityClassName", None):
            notes.add(
                "not carried over: priorityClassName: Trainer admits it only for the workers.",
                replicated_job["name"],
            )
        return
    replicated_job["template"]["metadata"] = {"labels": {_ANCESTOR: "trainer"}}
    workloads.main_container(job["template"])["name"] = _CONTAINER
    for rule in job.get("podFailurePolicy", {}).get("rules", ()):
        rule["onExitCodes"]["containerName"] = _CONTAINER
