"""Splits a pod template into parts for targets that run no pods, and a rest that has no place.

>>> from migrate.cluster.old_jobs import workload
>>> parts = take(workload.Template(workload.pod("registry/mnist", ["python", "train.py"])))
>>> parts.command, parts.image, parts.rest
(['python', 'train.py'], 'registry/mnist', [])
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from migrate.cluster.old_jobs import workload
from migrate.cluster.old_jobs.workload import Template
from modern.process import cli

_UNITS = {
    **{"m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15},
    **{f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTP", start=1)},
}
# Seconds between SIGTERM and SIGKILL, for a save. The default of Kubernetes is 30 seconds, and that
# of compose 10. A container whose processes end earlier does not use the rest.
GRACE_S = 120
_GPUS = ("nvidia.com/gpu", "amd.com/gpu", "alpha.kubernetes.io/nvidia-gpu")


@dataclasses.dataclass(frozen=True)
class Parts:
    """Program, resources and volumes of one type of task.

    Attributes:
      image: Container image.
      command: Command that replaces the image's entry point, if not empty.
      args: Arguments of the command.
      env: Environment variables and their values.
      working_dir: Working directory. None for the image's.
      cpus: Number of CPUs. None if unspecified.
      memory: Memory in bytes. None if unspecified.
      gpus: Number of GPUs.
      gpu_kind: Resource name of the GPUs, such as "nvidia.com/gpu".
      mounts: Pairs of a volume, as in a pod's list, and its mount in the container.
      rest: Lines on the settings that were not taken.
    """

    image: str
    command: list[str]
    args: list[str]
    env: dict[str, str]
    working_dir: str | None
    cpus: float | None
    memory: int | None
    gpus: int
    gpu_kind: str
    mounts: list[tuple[Mapping[str, Any], Mapping[str, Any]]]
    rest: list[str]


def take(template: Template) -> Parts:
    """Splits a template.

    Args:
      template: Template, left unchanged.

    Returns:
      The parts. References to variables in command and arguments are replaced if their values are
      in the manifest.

    Raises:
      cli.UsageError: An amount of a resource cannot be read.
    """
    pod = copy.deepcopy(dict(template.pod))
    container = workload.main_container(pod)
    env = workload.literal_env(container)
    words = {
        key: [workload.expand(str(word), env) for word in container.pop(key, None) or ()]
        for key in ("command", "args")
    }
    unresolved_env = [e for e in container.pop("env", None) or () if "valueFrom" in e]
    if unresolved_env:
        container["env"] = unresolved_env
    container["ports"] = [
        p for p in container.pop("ports", None) or () if p.get("containerPort") != template.port
    ]
    amounts = _amounts(container.pop("resources", None) or {}, container)
    gpu_kind = next((name for name in _GPUS if name in amounts), "")
    mounts = _mounts(container, pod["spec"])
    image_name = str(container.pop("image", ""))
    container.pop("name", None)
    return Parts(
        image_name,
        words["command"],
        words["args"],
        env,
        container.pop("workingDir", None),
        amounts.get("cpu"),
        math.ceil(amounts["memory"]) if "memory" in amounts else None,
        int(amounts.get(gpu_kind, 0)),
        gpu_kind,
        mounts,
        list(workload.remaining_fields(pod)),
    )


def image(parts: Parts, job: str, task: str) -> str:
    """Returns the image of a task.

    Args:
      parts: Parts of the task's template.
      job: Name of the job.
      task: Name or type of the task.

    Raises:
      cli.UsageError: The task has none.
    """
    if not parts.image:
        raise cli.UsageError(f"{job}: {task} has no image: give --image.")
    return parts.image


def amount(text: Any) -> float:
    """Reads an amount in Kubernetes' notation: 500m, 2, 4Gi, 1e3.

    >>> amount("500m"), amount("2Gi"), amount(4)
    (0.5, 2147483648.0, 4.0)
    """
    notation = str(text)
    number = notation.rstrip("KMGTPikm")
    try:
        value = float(number) * _UNITS[notation[len(number) :]]
    except (KeyError, ValueError):
        value = math.nan
    if not 0 <= value < math.inf:
        raise cli.UsageError(
            f"the manifest has the invalid amount {notation!r}: write 500m, 2 or 4Gi."
        )
    return value


def _amounts(resources: Mapping[str, Any], container: dict[str, Any]) -> dict[str, float]:
    """Returns the limit of each resource, or else its request. Puts other resources back."""
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    all_resources = {**requests, **limits}
    amounts = {n: amount(v) for n, v in all_resources.items() if n in ("cpu", "memory", *_GPUS)}
    other_resources = {name: value for name, value in all_resources.items() if name not in amounts}
    if other_resources:
        container["resources"] = other_resources
    return amounts


def _mounts(
    container: dict[str, Any], spec: dict[str, Any]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Returns each mount with its volume. A mount without a volume stays in the container."""
    volumes = {volume.get("name"): volume for volume in spec.pop("volumes", None) or ()}
    mounts = container.pop("volumeMounts", None) or []
    pairs = [(volumes[mount["name"]], mount) for mount in mounts if mount.get("name") in volumes]
    used_volumes = {id(volume) for volume, _ in pairs}
    spec["volumes"] = [volume for volume in volumes.values() if id(volume) not in used_volumes]
    container["volumeMounts"] = [mount for mount in mounts if mount.get("name") not in volumes]
    return pairs
