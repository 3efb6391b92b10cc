"""Writes a Docker compose file: a service for each task, with its TF_CONFIG.

    python -m migrate cluster mnist.yaml --to=multi_worker_mirrored --target=compose --write=out
    docker compose -f out/mnist.compose.yaml up --abort-on-container-failure

Services find each other by name on the network that compose creates. Each service has its own IP
address, so that all listen on the same port.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from migrate.cluster import yaml_files
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, containers
from migrate.cluster.targets.base import Notes
from migrate.cluster.targets.containers import Parts
from modern.cluster.tf_config import TFConfig

SUFFIX = ".compose.yaml"
_RESTARTS = {"Always": "on-failure", "OnFailure": "on-failure", "ExitCode": "on-failure"}
_DRIVERS = {"nvidia.com/gpu": "nvidia", "alpha.kubernetes.io/nvidia-gpu": "nvidia"}


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns the service's name and the task's port."""
    return f"{task_type}-{index}:{workload.template(task_type).port}"


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the file.

    Args:
      conversion: Conversion with the addresses of `address`.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      YAML for `docker compose`.

    Raises:
      cli.UsageError: A task has no image.
    """
    volumes: dict[str, Any] = {}
    parts = {t: containers.take(workload.template(t)) for t in base.types(conversion)}
    mounts = {t: _mounts(t, type_parts, volumes, notes) for t, type_parts in parts.items()}
    services = {
        task.name: _service(task, parts[task.task_type], mounts[task.task_type], workload)
        for task in conversion.tasks
    }
    for task_type, type_parts in parts.items():
        for line in type_parts.rest:
            notes.add(f"not carried over: {line}", task_type)
        restart = workload.template(task_type).restart
        if restart in ("Always", "ExitCode"):
            notes.add(f"restartPolicy {restart} is on-failure.", task_type)
    base.note_settings(workload, ("backoffLimit",), notes)
    document: dict[str, Any] = {"name": _project(workload.name), "services": services}
    if volumes:
        document["volumes"] = volumes
    return base.comment(base.heading(conversion, workload)) + yaml_files.text([document])


def _service(task: TFConfig, parts: Parts, mounts: list[str], workload: Workload) -> dict[str, Any]:
    image = containers.image(parts, workload.name, task.name)
    service: dict[str, Any] = {"image": _literal(image)}
    if parts.command:
        service["entrypoint"] = [_literal(word) for word in parts.command]
    if parts.args or parts.command:
        service["command"] = [_literal(word) for word in parts.args]
    if parts.working_dir:
        service["working_dir"] = _literal(parts.working_dir)
    variables = {**parts.env, "TF_CONFIG": task.to_json()}
    service["environment"] = {name: _literal(value) for name, value in variables.items()}
    if mounts:
        service["volumes"] = mounts
    resources = _resources(parts)
    if resources:
        service["deploy"] = {"resources": resources}
    restart = _RESTARTS.get(workload.template(task.task_type).restart, "no")
    limit = workload.policy.get("backoffLimit")
    has_limit = restart == "on-failure" and limit is not None
    service["restart"] = f"{restart}:{limit}" if has_limit else restart
    return service


def _resources(parts: Parts) -> dict[str, Any]:
    limits: dict[str, str] = {}
    if parts.cpus:
        limits["cpus"] = f"{parts.cpus:g}"
    if parts.memory:
        limits["memory"] = str(parts.memory)
    resources: dict[str, Any] = {"limits": limits} if limits else {}
    if parts.gpus:
        device: dict[str, Any] = {"count": parts.gpus, "capabilities": ["gpu"]}
        if parts.gpu_kind in _DRIVERS:
            device = {"driver": _DRIVERS[parts.gpu_kind], **device}
        resources["reservations"] = {"devices": [device]}
    return resources


def _project(name: str) -> str:
    """Returns a project's name: small letters, digits, hyphens and underscores."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_") or "job"


def _literal(text: str) -> str:
    """Doubles dollar signs, which would start a variable of compose."""
    return text.replace("$", "$$")


def _mounts(task_type: str, parts: Parts, volumes: dict[str, Any], notes: Notes) -> list[str]:
    """Returns the mounts in compose's form, and adds their sources to `volumes` or to the notes."""
    mounts = []
    for volume, mount in parts.mounts:
        source = _source(volume, volumes)
        if source is None:
            kind = next((key for key in volume if key != "name"), "nothing")
            notes.add(
                f"not carried over: the volume {volume['name']} ({kind}) at {mount['mountPath']}.",
                task_type,
            )
            continue
        for key in sorted(set(mount) - {"name", "mountPath", "readOnly"}):
            notes.add(
                f"not carried over: {key}: {mount[key]}, of the volume {volume['name']}.", task_type
            )
        suffix = ":ro" if mount.get("readOnly") else ""
        mounts.append(f"{_literal(source)}:{_literal(mount['mountPath'])}{suffix}")
    return mounts


def _source(volume: Mapping[str, Any], volumes: dict[str, Any]) -> str | None:
    """Returns a mount's source: a named volume or a local folder. None without an equivalent."""
    if volume.get("hostPath"):
        return volume["hostPath"]["path"]
    if volume.get("persistentVolumeClaim"):
        name = volume["persistentVolumeClaim"]["claimName"]
        volumes[name] = {}
        return name
    if volume.get("nfs"):
        nfs = volume["nfs"]
        options = {"type": "nfs", "o": f"addr={nfs['server']}", "device": f":{nfs['path']}"}
        volumes[volume["name"]] = {"driver": "local", "driver_opts": options}
        return volume["name"]
    return None
