"""Writes a CustomJobSpec of Vertex AI: a worker pool for each type of task.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=vertex

The first lines of the file have the command that starts it.
The order of the pools decides: the chief, the workers, the ps, the evaluator. Vertex AI sets
TF_CONFIG in each replica from the pools. It calls the first replica the chief, so a job of workers
alone has its worker 0 there. The evaluator is in no cluster
(https://cloud.google.com/vertex-ai/docs/training/distributed-training).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from migrate.cluster import yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, containers
from migrate.cluster.targets.base import Notes
from migrate.cluster.targets.containers import Parts
from modern.process import cli

SUFFIX = ".vertex.yaml"
_POOLS = ("chief", "worker", "ps", "evaluator")
# GiB of memory per CPU, and numbers of CPUs, of general machines that can have GPUs
# (https://cloud.google.com/compute/docs/general-purpose-machines#n1_machines).
_MACHINES = {
    "n1-standard": (3.75, (4, 8, 16, 32, 64, 96)),
    "n1-highmem": (6.5, (2, 4, 8, 16, 32, 64, 96)),
}
_DEFAULT_MACHINE = "n1-standard-4"
# Manifests name no type of GPU. N1 machines can have this one.
_GPU = "NVIDIA_TESLA_T4"


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns "": Vertex AI chooses the addresses when the job starts."""
    del workload, task_type, index
    return ""


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the file.

    Args:
      conversion: Conversion without addresses.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      YAML for `gcloud ai custom-jobs create --config`.

    Raises:
      cli.UsageError: A task has no image, or needs a machine that Vertex AI does not have.
    """
    parts = {t: containers.take(workload.template(t)) for t in base.types(conversion)}
    for task_type, type_parts in parts.items():
        lines = list(type_parts.rest)
        if type_parts.working_dir:
            lines.append(f"workingDir: {type_parts.working_dir}")
        for line in lines:
            notes.add(f"not carried over: {line}", task_type)
    document: dict[str, Any] = {"workerPoolSpecs": _pools(conversion, parts, workload, notes)}
    scheduling = _scheduling(conversion, workload)
    if scheduling:
        document["scheduling"] = scheduling
    base.note_settings(workload, ("activeDeadlineSeconds",), notes)
    if "evaluator" in parts:
        notes.add(
            "the job has the state of its first replica. If it ends with it, the evaluator has not "
            "evaluated the last checkpoint: then evaluate that one yourself.",
            "evaluator",
        )
    return base.comment(_comment(conversion, workload)) + yaml_files.text([document])


def _comment(conversion: Conversion, workload: Workload) -> list[str]:
    lines = base.heading(conversion, workload)
    if "chief" not in base.types(conversion):
        lines.append("Vertex AI calls worker 0 the chief, and the next one worker 0.")
    return [
        *lines,
        f"Start it: gcloud ai custom-jobs create --region=REGION --display-name={workload.name} "
        "--config=THIS_FILE",
    ]


def _pools(
    conversion: Conversion, parts: Mapping[str, Parts], workload: Workload, notes: Notes
) -> list[dict[str, Any]]:
    counts = {t: base.count(conversion, t) for t in base.types(conversion)}
    origins = {t: t for t in counts}
    if "chief" not in counts:
        counts = {**counts, "chief": 1, "worker": counts["worker"] - 1}
        origins["chief"] = "worker"
    last = max(_POOLS.index(task_type) for task_type in counts)
    return [
        _pool(counts[t], parts[origins[t]], origins[t], workload, notes) if t in counts else {}
        for t in _POOLS[: last + 1]
    ]


def _pool(
    count: int, parts: Parts, task_type: str, workload: Workload, notes: Notes
) -> dict[str, Any]:
    container: dict[str, Any] = {"imageUri": containers.image(parts, workload.name, task_type)}
    if parts.command:
        container["command"] = parts.command
    if parts.args:
        container["args"] = parts.args
    if parts.env:
        container["env"] = [{"name": name, "value": value} for name, value in parts.env.items()]
    pool = {
        "machineSpec": _machine(parts, task_type, workload, notes),
        "replicaCount": count,
        "containerSpec": container,
    }
    mounts = _nfs_mounts(parts, task_type, notes)
    return {**pool, "nfsMounts": mounts} if mounts else pool


def _machine(parts: Parts, task_type: str, workload: Workload, notes: Notes) -> dict[str, Any]:
    """Returns the smallest machine that has the CPUs and the memory."""
    cpus, memory = parts.cpus or 0, (parts.memory or 0) / 2**30
    fitting = [
        (number, gib_per_cpu, f"{family}-{number}")
        for family, (gib_per_cpu, numbers) in _MACHINES.items()
        for number in numbers
        if number >= cpus and number * gib_per_cpu >= memory
    ]
    if not fitting or parts.gpu_kind.startswith("amd."):
        what = parts.gpu_kind if fitting else f"{cpus:g} CPUs and {memory:g} GiB"
        raise cli.UsageError(
            f"{workload.name}: {task_type} needs {what}, and no N1 machine of Vertex AI has that: "
            "lower the resources in the manifest, and write another machineSpec into the file."
        )
    is_known = bool(cpus or memory)
    machine: dict[str, Any] = {"machineType": min(fitting)[2] if is_known else _DEFAULT_MACHINE}
    if not is_known:
        notes.add(f"its resources are unknown: {_DEFAULT_MACHINE} stands for them.", task_type)
    if parts.gpus:
        machine.update(acceleratorType=_GPU, acceleratorCount=parts.gpus)
        notes.add(
            f"{parts.gpu_kind}: {parts.gpus} is {_GPU}, because the manifest names no type of GPU. "
            "For another one, change acceleratorType and machineType.",
            task_type,
        )
    return machine


def _nfs_mounts(parts: Parts, task_type: str, notes: Notes) -> list[dict[str, str]]:
    mounts = []
    for volume, mount in parts.mounts:
        name, path = volume["name"], mount["mountPath"]
        nfs = volume.get("nfs")
        if not nfs:
            kind = next((key for key in volume if key != "name"), "nothing")
            notes.add(
                f"not carried over: the volume {name} ({kind}) at {path}. Keep its files in a "
                "bucket: gs://BUCKET, and /gcs/BUCKET in each replica.",
                task_type,
            )
            continue
        mounts.append({"server": nfs["server"], "path": nfs["path"], "mountPoint": name})
        notes.add(
            f"the volume {name} is at /mnt/nfs/{name} instead of {path}: change the paths in the "
            "command. It needs the job's `network`, and the server's IP address.",
            task_type,
        )
    return mounts


def _scheduling(conversion: Conversion, workload: Workload) -> dict[str, Any]:
    scheduling: dict[str, Any] = {}
    if "activeDeadlineSeconds" in workload.policy:
        scheduling["timeout"] = f"{workload.policy['activeDeadlineSeconds']}s"
    if all(template.restart == "Never" for template in workload.templates.values()):
        scheduling["disableRetries"] = True
    elif conversion.way == "multi_worker_mirrored":
        # The others fail when one is lost.
        scheduling["restartJobOnWorkerRestart"] = True
    return scheduling
