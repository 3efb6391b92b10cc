"""What runs in the tasks of a job, as Kubernetes writes it: pod templates, and how they end.

A TFJob has it all; for a bare TF_CONFIG it is made from the flags --command, --image and --volume.
The targets (kubernetes.py, slurm.py, compose.py) read it from here.

>>> made = Workload("mnist", templates={"worker": Template(pod("registry/mnist", ["python"]))})
>>> made.template("chief").container["image"]
'registry/mnist'
"""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PORT = 2222
# The container that a TFJob's operator gives TF_CONFIG to.
CONTAINER = "tensorflow"
# Whose place a new task takes, in this order, where its type has no template.
_LIKE = {
    "chief": ("worker",),
    "worker": ("chief",),
    "ps": ("worker", "chief"),
    "evaluator": ("chief", "worker"),
}
_REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_.-][\w.-]*)\)")


@dataclasses.dataclass(frozen=True)
class Template:
    """What runs in the tasks of one type.

    Attributes:
      pod: A PodTemplateSpec: {"metadata": ..., "spec": ...}.
      restart: TFJob's restartPolicy: "Always", "OnFailure", "Never" or "ExitCode".
      port: Which the task's server listens on.
    """

    pod: Mapping[str, Any]
    restart: str = "Never"
    port: int = PORT

    @property
    def container(self) -> Mapping[str, Any]:
        """The container that trains: the one named tensorflow, or the only one."""
        return main_container(self.pod)


@dataclasses.dataclass(frozen=True)
class Workload:
    """What runs in all tasks of a job.

    Attributes:
      name: The job's; DNS names begin with it.
      namespace: Where it runs in Kubernetes; None: in the current one.
      labels: Of the job.
      annotations: Of the job.
      templates: For each type of task that there was.
      policy: What a TFJob's runPolicy says that a Job says under the same name:
        activeDeadlineSeconds, backoffLimit, suspend, ttlSecondsAfterFinished.
      lost: Fields that no target carries over, each with what to do instead.
    """

    name: str
    namespace: str | None = None
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    annotations: Mapping[str, str] = dataclasses.field(default_factory=dict)
    templates: Mapping[str, Template] = dataclasses.field(default_factory=dict)
    policy: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    lost: tuple[str, ...] = ()

    def origin(self, task_type: str) -> str:
        """Whose template a type of task takes: its own, or where it has none another's."""
        return next(t for t in (task_type, *_LIKE[task_type]) if t in self.templates)

    def template(self, task_type: str) -> Template:
        """The template of a type of task."""
        return self.templates[self.origin(task_type)]


def pod(image: str, command: Sequence[str], volume: str = "", mount: str = "") -> dict[str, Any]:
    """Makes a pod template.

    Args:
      image: The container's.
      command: The program and its arguments; none: the image's own.
      volume: The name of a PersistentVolumeClaim that all tasks share, if there is one.
      mount: Where they see it.

    Returns:
      A PodTemplateSpec.
    """
    container: dict[str, Any] = {"name": CONTAINER, "image": image}
    if command:
        container["command"] = list(command)
    spec: dict[str, Any] = {"containers": [container]}
    if volume:
        container["volumeMounts"] = [{"name": "shared", "mountPath": mount}]
        claim = {"claimName": volume}
        spec["volumes"] = [{"name": "shared", "persistentVolumeClaim": claim}]
    return {"spec": spec}


def main_container(pod: Mapping[str, Any]) -> Any:
    """The container of a pod template that trains."""
    containers = pod["spec"]["containers"]
    return next((c for c in containers if c.get("name") == CONTAINER), containers[0])


def with_command(workload: Workload, command: Sequence[str], image: str) -> Workload:
    """Replaces the program, or its image, in all tasks; what is empty stays as it was."""
    templates = {}
    for task_type, template in workload.templates.items():
        changed = copy.deepcopy(dict(template.pod))
        container = main_container(changed)
        if image:
            container["image"] = image
        if command:
            container.pop("args", None)
            container["command"] = list(command)
        templates[task_type] = dataclasses.replace(template, pod=changed)
    return dataclasses.replace(workload, templates=templates)


def without_accelerators(pod: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Takes extended resources, such as nvidia.com/gpu, from a pod that computes no gradients.

    Args:
      pod: A PodTemplateSpec, left as it is.

    Returns:
      The changed one, and what was taken, such as "nvidia.com/gpu: 1".
    """
    changed = copy.deepcopy(dict(pod))
    taken: dict[str, Any] = {}
    resources = main_container(changed).get("resources") or {}
    for kind in ("requests", "limits"):
        for name in [name for name in resources.get(kind) or {} if "/" in name]:
            taken[name] = resources[kind].pop(name)
    return changed, [f"{name}: {amount}" for name, amount in taken.items()]


def literal_env(container: Mapping[str, Any]) -> dict[str, str]:
    """The variables whose values stand in the manifest, without TF_CONFIG; $(NAME) is expanded."""
    env: dict[str, str] = {}
    for entry in container.get("env") or ():
        if "valueFrom" not in entry and entry["name"] != "TF_CONFIG":
            env[entry["name"]] = expanded(str(entry.get("value") or ""), env)
    return env


def expanded(text: str, env: Mapping[str, str]) -> str:
    """Puts variables in place as Kubernetes does in values, commands and arguments.

    $(NAME) becomes its value where NAME is known, and stays where it is not; $$ becomes $
    (https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/).

    >>> expanded("$(A)/$(B) $$(A)", {"A": "x"})
    'x/$(B) $(A)'
    """

    def value(match: re.Match[str]) -> str:
        return "$" if match[0] == "$$" else env.get(match[1], match[0])

    return _REFERENCE.sub(value, text)


# Fields that hold others; below them, each field is named with all that it says.
_HOLDERS = ("metadata", "spec", "runPolicy", "schedulingPolicy", "containers")


def left(value: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Names the fields of what was not taken from a manifest; empty ones say nothing.

    >>> list(left({"spec": {"nodeSelector": {"pool": "gpu"}, "volumes": []}}))
    ['spec.nodeSelector: {"pool": "gpu"}']
    """
    for key, item in value.items():
        here = f"{path}{key}"
        if isinstance(item, Mapping) and key in _HOLDERS:
            yield from left(item, f"{here}.")
        elif key in _HOLDERS and isinstance(item, list) and _objects(item):
            for number, one in enumerate(item):
                yield from left(one, f"{here}[{number}].")
        elif item not in (None, {}, []):
            said = item if isinstance(item, str) else json.dumps(item, default=str)
            yield f"{here}: {said}"


def _objects(items: Sequence[Any]) -> bool:
    return all(isinstance(one, Mapping) for one in items)
