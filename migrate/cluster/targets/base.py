"""Functions that all targets share: the list of targets, and notes on the written files.

    target_file = write("kubernetes", conversion, workload)
    print(target_file.text)

A target is a module with three members. SUFFIX is the end of its file names. `address(workload,
task_type, index)` returns a task's address, or "" if only the running job knows it.
`write(conversion, workload, notes)` returns the text of the file.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from migrate.cluster import marks
from migrate.cluster.conversion import STRATEGIES, AddressFn, Conversion
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.workload import Template, Workload
from modern.process import cli, files, quiet_import

# Targets whose files are Kubernetes manifests. One stream can contain several jobs.
MANIFESTS = ("kubernetes", "jobset", "tfjob", "trainjob")
NAMES = (*MANIFESTS, "slurm", "compose", "vertex")
# Kinds of volumes that all tasks share.
_SHARED = ("persistentVolumeClaim", "nfs", "azureFile", "cephfs", "csi", "glusterfs")
# Under compose, all tasks share one machine. Vertex AI mounts no other volume than NFS.
_SHARED_AT = {"compose": (*_SHARED, "hostPath"), "vertex": ("nfs",)}
# A folder of a file system that all tasks reach.
_REMOTE = re.compile(r"(?:gs|s3|s3a|hdfs|viewfs|az|oss)://[^\s\"']*")


@dataclasses.dataclass(frozen=True)
class TargetFile:
    """A file for a target.

    Attributes:
      text: Whole text of the file.
      notes: Settings that are not carried over, or that the user must check.
    """

    text: str
    notes: tuple[str, ...]


class Notes:
    """Collects notes. A note on several types of tasks becomes one line."""

    def __init__(self) -> None:
        self._types: dict[str, list[str]] = {}

    def add(self, text: str, task_type: str = "") -> None:
        """Adds a note on a type of tasks or on the job."""
        types = self._types.setdefault(text, [])
        if task_type and task_type not in types:
            types.append(task_type)

    def lines(self) -> tuple[str, ...]:
        """Returns the notes in the order of their first occurrence."""
        return tuple(
            f"{', '.join(types)}: {text}" if types else text for text, types in self._types.items()
        )


def address_fn(target: str, workload: Workload) -> AddressFn:
    """Returns the function that assigns a target's addresses to the tasks of a job."""
    address = _module(target).address
    return lambda task_type, index: address(workload, task_type, index)


def suffix(target: str) -> str:
    """Returns the end of the file name for a target."""
    return _module(target).SUFFIX


def write(target: str, conversion: Conversion, workload: Workload) -> TargetFile:
    """Writes a converted job for a target.

    Args:
      target: One of `NAMES`.
      conversion: Conversion with the target's addresses.
      workload: Workload of the tasks.

    Returns:
      The file, with notes on the settings that it leaves out.

    Raises:
      cli.UsageError: The target needs a setting that is missing or does not fit.
    """
    notes = Notes()
    for line in workload.dropped_fields:
        notes.add(line)
    target_workload = _target_workload(conversion, workload, target, notes)
    for task_type in types(conversion):
        _note_program(target_workload.template(task_type), task_type, conversion.way, notes)
    text = _module(target).write(conversion, target_workload, notes)
    _note_shared_folder(target_workload.templates.values(), target, notes)
    return TargetFile(text, notes.lines())


def heading(conversion: Conversion, workload: Workload) -> list[str]:
    """Returns the comment lines at the top of a file, which describe its contents."""
    counts = {t: len(tasks) for t, tasks in conversion.cluster.items()}
    task_counts = ", ".join(f"{n} {t}" for t, n in counts.items())
    evaluator_text = ", and an evaluator beside them" if _has_evaluator(conversion) else ""
    return [
        f"{workload.name} under {STRATEGIES[conversion.way]}: {task_counts}{evaluator_text}; "
        f"{conversion.trainers} train.",
        marks.SIGNATURE,
    ]


def comment(lines: Sequence[str]) -> str:
    """Returns lines as comments of a YAML file or a script."""
    return "".join(f"# {line}\n" for line in lines)


def note_settings(workload: Workload, used_keys: Sequence[str], notes: Notes) -> None:
    """Adds notes on the job's own settings, for targets without Kubernetes' objects."""
    settings = {
        "namespace": workload.namespace,
        "labels": workload.labels,
        "annotations": workload.annotations,
        **{key: value for key, value in workload.policy.items() if key not in used_keys},
    }
    for line in workloads.remaining_fields(settings):
        notes.add(f"not carried over: {line}")


def types(conversion: Conversion) -> list[str]:
    """Returns the types of tasks, in the order in which they are written."""
    return list(dict.fromkeys(task.task_type for task in conversion.tasks))


def count(conversion: Conversion, task_type: str) -> int:
    """Returns the number of tasks of a type."""
    return sum(task.task_type == task_type for task in conversion.tasks)


def _module(target: str) -> Any:
    return importlib.import_module(f"{__package__}.{target}")


def _has_evaluator(conversion: Conversion) -> bool:
    return conversion.tasks[-1].task_type == "evaluator"


def _target_workload(
    conversion: Conversion, workload: Workload, target: str, notes: Notes
) -> Workload:
    """Returns the workload with a template for each type of task."""
    templates = {}
    for task_type in types(conversion):
        origin = workload.origin(task_type)
        template = workload.template(task_type)
        if origin != task_type:
            notes.add(f"takes the pod template of the old {origin}.", task_type)
        is_idle = conversion.way == "parameter_server" and task_type == "chief"
        if is_idle or (task_type == "ps" and origin != "ps"):
            pod, resources = workloads.without_accelerators(template.pod)
            template = dataclasses.replace(template, pod=pod)
            where = " Look at its node selector and tolerations." if target in MANIFESTS else ""
            # All tasks of a SLURM step get the same resources, and slurm.py adds a note on that.
            for resource in resources if target != "slurm" else ():
                notes.add(f"without {resource}: it computes no gradients.{where}", task_type)
        templates[task_type] = template
    _note_other_resources(conversion, workload, notes)
    for task_type in workload.templates:
        if task_type not in templates:
            notes.add("no longer started, so its pod template is dropped.", task_type)
    return dataclasses.replace(workload, templates=templates)


def _note_other_resources(conversion: Conversion, workload: Workload, notes: Notes) -> None:
    """Adds a note if the worker that replaces the old chief gets other resources than it had."""
    resources_by_type = {
        t: template.container.get("resources") for t, template in workload.templates.items()
    }
    is_replaced = conversion.way == "parameter_server" and {"chief", "worker"} <= set(
        resources_by_type
    )
    if is_replaced and resources_by_type["chief"] != resources_by_type["worker"]:
        notes.add(
            "the worker that replaces the old chief has the workers' resources "
            f"({json.dumps(resources_by_type['worker'])}), but the chief had others "
            f"({json.dumps(resources_by_type['chief'])}).",
            "worker",
        )


def _note_program(template: Template, task_type: str, way: str, notes: Notes) -> None:
    """Adds a note if the program does not name the new strategy: it may still use Estimator."""
    words = [*(template.container.get("command") or ()), *(template.container.get("args") or ())]
    if not any(f"--strategy={way}" in str(word) for word in words):
        program = f"`{shlex.join(map(str, words))}`" if words else "its image's entry point"
        notes.add(
            f"runs {program}: that must be the new program, which trains with "
            f"{STRATEGIES[way]} (modern.train: --strategy={way}). --command=... replaces it.",
            task_type,
        )


def _note_shared_folder(templates: Collection[Template], target: str, notes: Notes) -> None:
    """Adds a note if the tasks share no folder, and on folders that TensorFlow cannot read."""
    urls = list(dict.fromkeys(url for template in templates for url in _urls(template)))
    problems = [problem for problem in map(_scheme_problem, urls) if problem]
    for problem in problems:
        notes.add(problem)
    if len(urls) > len(problems) or any(_shares(template, target) for template in templates):
        return
    notes.add(
        "no volume is shared by the tasks: --model_dir must be one folder for all (or gs://, or a "
        "URL whose file system each task loads). Workers and ps of modern.train end when they find "
        "there that the chief has ended."
    )


def _shares(template: Template, target: str) -> bool:
    kinds = _SHARED_AT.get(target, _SHARED)
    volumes: Sequence[Mapping[str, Any]] = template.pod["spec"].get("volumes") or ()
    return any(kind in volume for volume in volumes for kind in kinds)


def _urls(template: Template) -> list[str]:
    """Returns the remote folders that the command of a task names, also by $(NAME)."""
    words = [*(template.container.get("command") or ()), *(template.container.get("args") or ())]
    env = workloads.literal_env(template.container)
    return [url for word in words for url in _REMOTE.findall(workloads.expand(str(word), env))]


def _scheme_problem(url: str) -> str | None:
    """Returns the reason why the TensorFlow on this machine cannot read a URL, or None."""
    quiet_import.import_tensorflow()
    try:
        files.check_scheme(url)
    except cli.UsageError as error:
        return str(error)
    return None
