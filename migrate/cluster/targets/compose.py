"""Writes a Docker compose file: a service for each task, with its TF_CONFIG.

    python -m migrate cluster mnist.yaml --to=multi_worker_mirrored --target=compose --write=out
    docker compose -f out/mnist.compose.yaml up --abort-on-container-failure

Services find each other by name on the network that compose creates. Each service has its own IP
address, so that all listen on the same port.

`up --abort-on-container-failure` ends the job after the first failure of a container, with its exit
code. A failure counts also if the engine then restarts the container (`restart: on-failure`), and
without this flag `up` ends with 0 after any failure. Therefore a shell in the container restarts
the task. The container ends when its task has succeeded, or has failed for the last time.
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
# Runs its arguments, and runs them again after a failure. When the container is stopped, only its
# first process gets SIGTERM, which is the shell. The signal ends the first `wait`. The task then
# saves, and the last `wait` returns its exit code. A signal that arrives before the task has a
# number is sent a second later: until the program runs, its process has the shell's handlers.
_RESTARTING = """\
stopped= unsent= task= restarts=0
trap 'stopped=1; if [ "$task" ]; then kill -TERM "$task" 2>/dev/null; else unsent=1; fi' TERM
while [ ! "$stopped" ]; do
  "$@" &
  task=$!
  if [ "$unsent" ]; then sleep 1; kill -TERM "$task"; fi
  wait "$task"
  code=$?
  while kill -0 "$task" 2>/dev/null; do
    wait "$task"
    code=$?
  done
  task=
  if [ {final} ] || [ "$stopped" ] || [ "$restarts" -ge {limit} ]; then break; fi
  restarts=$((restarts + 1))
  echo "The task ended with exit code $code. Restart $restarts of {limit} follows." >&2
  sleep 1
done
exit "$code"
"""
# Restarts of a task if the job sets no limit. `up` must end if the program always fails.
_LIMIT = 3
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
        if restart != "Never" and not type_parts.command:
            notes.add(
                f"not carried over: restartPolicy {restart}. A shell restarts the task, and needs "
                "the command that is the image's entry point: give --command.",
                task_type,
            )
        elif restart == "Always":
            notes.add(
                "restartPolicy Always is OnFailure: a task that has ended with 0 is done.",
                task_type,
            )
    base.note_settings(workload, ("backoffLimit",), notes)
    document: dict[str, Any] = {"name": _project(workload.name), "services": services}
    if volumes:
        document["volumes"] = volumes
    return base.comment(base.heading(conversion, workload)) + yaml_files.text([document])


def _service(task: TFConfig, parts: Parts, mounts: list[Any], workload: Workload) -> dict[str, Any]:
    image = containers.image(parts, workload.name, task.name)
    service: dict[str, Any] = {"image": _literal(image)}
    if parts.command:
        words = [*_restarting(task.task_type, workload), *parts.command]
        service["entrypoint"] = [_literal(word) for word in words]
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
    service["stop_grace_period"] = f"{containers.GRACE_S}s"
    return service


def _restarting(task_type: str, workload: Workload) -> list[str]:
    """Returns the words before a command that restart it by the job's restartPolicy."""
    restart = workload.template(task_type).restart
    if restart == "Never":
        return []
    # By ExitCode, codes from 128 are those of signals, and others are those of errors in the task.
    final = '"$code" -lt 128' if restart == "ExitCode" else '"$code" -eq 0'
    limit = workload.policy.get("backoffLimit", _LIMIT)
    return ["sh", "-c", _RESTARTING.format(final=final, limit=limit), "sh"]


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


def _mounts(
    task_type: str, parts: Parts, volumes: dict[str, Any], notes: Notes
) -> list[dict[str, Any]]:
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
        # Podman 4.3 refuses named volumes in the short form, SOURCE:TARGET.
        entry = {
            "type": "volume" if source in volumes else "bind",
            "source": _literal(source),
            "target": _literal(mount["mountPath"]),
        }
        mounts.append({**entry, "read_only": True} if mount.get("readOnly") else entry)
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
