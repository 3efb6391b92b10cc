"""Workload of a job's tasks in Kubernetes' terms: pod templates, and policies for their end.

A TFJob contains all of it. For a bare TF_CONFIG it is made from the flags --command, --image and
--volume. The targets read it.

>>> workload = Workload("mnist", templates={"worker": Template(pod("registry/mnist", ["python"]))})
>>> workload.template("chief").container["image"]
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
# A TFJob's operator sets TF_CONFIG in the container of this name.
CONTAINER = "tensorflow"
# Types whose template a type without its own uses, in this order.
_FALLBACKS = {
    "chief": ("worker",),
    "worker": ("chief",),
    "ps": ("worker", "chief"),
    "evaluator": ("chief", "worker"),
}
_REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_.-][\w.-]*)\)")


@dataclasses.dataclass(frozen=True)
class Template:
    """Template of the tasks of one type.

    Attributes:
      pod: A PodTemplateSpec: {"metadata": ..., "spec": ...}.
      restart: TFJob's restartPolicy: "Always", "OnFailure", "Never" or "ExitCode".
      port: Port of the task's server.
    """

    pod: Mapping[str, Any]
    restart: str = "Never"
    port: int = PORT

    @property
    def container(self) -> Mapping[str, Any]:
        """The container that trains: `tensorflow`, or else the first container."""
        return main_container(self.pod)


@dataclasses.dataclass(frozen=True)
class Workload:
    """Workload of all tasks of a job.

    Attributes:
      name: Name of the job. DNS names begin with it.
      namespace: Namespace in Kubernetes. None for the current one.
      labels: Labels of the job.
      annotations: Annotations of the job.
      templates: Template of each type of task in the old job.
      policy: Fields of a TFJob's runPolicy that a Job has under the same names:
        activeDeadlineSeconds, backoffLimit, suspend, ttlSecondsAfterFinished.
      dropped_fields: Fields that no target carries over, each with advice.
    """

    name: str
    namespace: str | None = None
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    annotations: Mapping[str, str] = dataclasses.field(default_factory=dict)
    templates: Mapping[str, Template] = dataclasses.field(default_factory=dict)
    policy: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    dropped_fields: tuple[str, ...] = ()

    def origin(self, task_type: str) -> str:
        """Returns the type that defines the template. A type without a template uses another's."""
        return next(t for t in (task_type, *_FALLBACKS[task_type]) if t in self.templates)

    def template(self, task_type: str) -> Template:
        """Returns the template of a type of task."""
        return self.templates[self.origin(task_type)]


def pod(image: str, command: Sequence[str], volume: str = "", mount: str = "") -> dict[str, Any]:
    """Makes a pod template.

    Args:
      image: Container image.
      command: Program and its arguments. Empty for the image's own.
      volume: Name of a PersistentVolumeClaim that all tasks share. "" for none.
      mount: Path at which the tasks mount it.

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
    """Returns the container of a pod template that trains."""
    containers = pod["spec"]["containers"]
    return next((c for c in containers if c.get("name") == CONTAINER), containers[0])


def with_command(workload: Workload, command: Sequence[str], image: str) -> Workload:
    """Replaces the program, or its image, in all tasks. An empty value changes nothing."""
    templates = {}
    for task_type, template in workload.templates.items():
        new_pod = copy.deepcopy(dict(template.pod))
        container = main_container(new_pod)
        if image:
            container["image"] = image
        if command:
            container.pop("args", None)
            container["command"] = list(command)
        templates[task_type] = dataclasses.replace(template, pod=new_pod)
    return dataclasses.replace(workload, templates=templates)


def without_accelerators(pod: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Removes extended resources, such as nvidia.com/gpu, from a pod that computes no gradients.

    Args:
      pod: A PodTemplateSpec, left unchanged.

    Returns:
      The changed pod template, and the removed resources, such as "nvidia.com/gpu: 1".
    """
    new_pod = copy.deepcopy(dict(pod))
    amounts: dict[str, Any] = {}
    resources = main_container(new_pod).get("resources") or {}
    for kind in ("requests", "limits"):
        for name in [name for name in resources.get(kind) or {} if "/" in name]:
            amounts[name] = resources[kind].pop(name)
    return new_pod, [f"{name}: {amount}" for name, amount in amounts.items()]


def literal_env(container: Mapping[str, Any]) -> dict[str, str]:
    """Returns the variables with values in the manifest, without TF_CONFIG. Expands $(NAME)."""
    env: dict[str, str] = {}
    for entry in container.get("env") or ():
        if "valueFrom" not in entry and entry["name"] != "TF_CONFIG":
            env[entry["name"]] = expand(str(entry.get("value") or ""), env)
    return env


def expand(text: str, env: Mapping[str, str]) -> str:
    """Expands variables as Kubernetes does in values, commands and arguments.

    $(NAME) becomes its value if NAME is known, and stays otherwise. $$ becomes $
    (define-interdependent-environment-variables in
    https://kubernetes.io/docs/tasks/inject-data-application/).

    >>> expand("$(A)/$(B) $$(A)", {"A": "x"})
    'x/$(B) $(A)'
    """

    def value(match: re.Match[str]) -> str:
        return "$" if match[0] == "$$" else env.get(match[1], match[0])

    return _REFERENCE.sub(value, text)


# `remaining_fields` descends into these fields. It prints other fields with their whole content.
_HOLDERS = ("metadata", "spec", "runPolicy", "schedulingPolicy", "containers")


def remaining_fields(value: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yields the fields that are left in a manifest, without empty ones.

    >>> list(remaining_fields({"spec": {"nodeSelector": {"pool": "gpu"}, "volumes": []}}))
    ['spec.nodeSelector: {"pool": "gpu"}']
    """
    for key, item in value.items():
        field_path = f"{path}{key}"
        if isinstance(item, Mapping) and key in _HOLDERS:
            yield from remaining_fields(item, f"{field_path}.")
        elif key in _HOLDERS and isinstance(item, list) and _objects(item):
            for number, element in enumerate(item):
                yield from remaining_fields(element, f"{field_path}[{number}].")
        elif item not in (None, {}, []):
            text = item if isinstance(item, str) else json.dumps(item, default=str)
            yield f"{field_path}: {text}"


def _objects(items: Sequence[Any]) -> bool:
    return all(isinstance(item, Mapping) for item in items)
