"""What all targets share: which there are, and what is said of what is written.

    written = write("kubernetes", conversion, workload)
    print(written.text)

A target is a module with SUFFIX, `address(workload, task_type, index)`, "" where only the running
job knows it, and `write(conversion, workload, notes) -> text`.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from migrate.cluster.conversion import STRATEGIES, AddressFn, Conversion
from migrate.cluster.found import workload as workloads
from migrate.cluster.found.workload import Template, Workload

NAMES = ("kubernetes", "slurm", "compose")
SIGNATURE = "Written by `python -m migrate cluster`."
# What an Indexed Job's pods have in their TF_CONFIG, until Kubernetes puts their index in place.
INDEX_VARIABLE = "JOB_COMPLETION_INDEX"
INDEX = f"$({INDEX_VARIABLE})"
# Of a volume: what all tasks see.
_SHARED = ("persistentVolumeClaim", "nfs", "azureFile", "cephfs", "csi", "glusterfs")
_OF_A_MACHINE = "hostPath"  # which is one for all under compose
_REMOTE = ("gs://", "s3://", "hdfs://", "viewfs://")


@dataclasses.dataclass(frozen=True)
class Written:
    """A file for a target.

    Attributes:
      text: The whole of it.
      notes: What is not carried over, or must be looked at.
    """

    text: str
    notes: tuple[str, ...]


class Notes:
    """Collects notes; what is said of several types of tasks becomes one line."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {}

    def add(self, text: str, task_type: str = "") -> None:
        """Adds a note, on a type of tasks or on the job."""
        types = self._found.setdefault(text, [])
        if task_type and task_type not in types:
            types.append(task_type)

    def lines(self) -> tuple[str, ...]:
        """The notes, in the order in which they came."""
        return tuple(
            f"{', '.join(types)}: {text}" if types else text for text, types in self._found.items()
        )


def address_fn(target: str, made: Workload) -> AddressFn:
    """How a target names the tasks of a job."""
    named = _module(target).address
    return lambda task_type, index: named(made, task_type, index)


def suffix(target: str) -> str:
    """How the name of a target's file ends."""
    return _module(target).SUFFIX


def write(target: str, made: Conversion, workload: Workload) -> Written:
    """Writes a converted job for a target.

    Args:
      target: One of `NAMES`.
      made: The conversion, with the target's addresses.
      workload: What runs in the tasks.

    Returns:
      The file, with notes on what it leaves out.

    Raises:
      cli.UsageError: Something is missing that the target needs, or does not fit.
    """
    notes = Notes()
    for line in workload.lost:
        notes.add(line)
    placed = _placed(made, workload, target, notes)
    for task_type in types(made):
        _note_program(placed.template(task_type), task_type, made.way, notes)
    text = _module(target).write(made, placed, notes)
    if not any(_shares(template, target) for template in placed.templates.values()):
        notes.add(
            "no volume is shared by the tasks: --model_dir must be one folder for all (or gs:// "
            "and its like). Workers and ps of modern.train end when they read there that the "
            "chief has."
        )
    return Written(text, notes.lines())


def heading(made: Conversion, workload: Workload) -> list[str]:
    """The lines of comment that a file opens with: what it is and what is in it."""
    counts = {t: len(tasks) for t, tasks in made.cluster.items()}
    named = ", ".join(f"{n} {t}" for t, n in counts.items())
    beside = ", and an evaluator beside them" if _has_evaluator(made) else ""
    return [
        f"{workload.name} under {STRATEGIES[made.way]}: {named}{beside}; {made.trainers} train.",
        SIGNATURE,
    ]


def note_settings(workload: Workload, taken: Sequence[str], notes: Notes) -> None:
    """Names the job's own settings that a target without Kubernetes' objects has no place for."""
    settings = {
        "namespace": workload.namespace,
        "labels": workload.labels,
        "annotations": workload.annotations,
        **{key: value for key, value in workload.policy.items() if key not in taken},
    }
    for line in workloads.left(settings):
        notes.add(f"not carried over: {line}")


def types(made: Conversion) -> list[str]:
    """The types of tasks, in the order in which they are written."""
    return list(dict.fromkeys(task.task_type for task in made.tasks))


def count(made: Conversion, task_type: str) -> int:
    """How many tasks of a type there are."""
    return sum(task.task_type == task_type for task in made.tasks)


def _module(target: str) -> Any:
    return importlib.import_module(f"migrate.cluster.{target}")


def _has_evaluator(made: Conversion) -> bool:
    return made.tasks[-1].task_type == "evaluator"


def _placed(made: Conversion, workload: Workload, target: str, notes: Notes) -> Workload:
    """A template for each type of task."""
    templates = {}
    for task_type in types(made):
        origin = workload.origin(task_type)
        template = workload.template(task_type)
        if origin != task_type:
            notes.add(f"takes the pod template of the old {origin}.", task_type)
        idle = made.way == "parameter_server" and task_type == "chief"
        if idle or (task_type == "ps" and origin != "ps"):
            pod, taken = workloads.without_accelerators(template.pod)
            template = dataclasses.replace(template, pod=pod)
            where = " Look at its node selector and tolerations." if target == "kubernetes" else ""
            # SLURM's step gives all of its tasks the same, and that is said there.
            for one in taken if target != "slurm" else ():
                notes.add(f"without {one}: it computes no gradients.{where}", task_type)
        templates[task_type] = template
    _note_other_resources(made, workload, notes)
    for task_type in workload.templates:
        if task_type not in templates:
            notes.add("not started any more, with all that its pod template says.", task_type)
    return dataclasses.replace(workload, templates=templates)


def _note_other_resources(made: Conversion, workload: Workload, notes: Notes) -> None:
    """The worker that stands in for the old chief takes the workers' template."""
    own = {t: template.container.get("resources") for t, template in workload.templates.items()}
    stands_in = made.way == "parameter_server" and {"chief", "worker"} <= set(own)
    if stands_in and own["chief"] != own["worker"]:
        notes.add(
            "the one that stands in for the old chief has the workers' resources "
            f"({json.dumps(own['worker'])}); the chief had others ({json.dumps(own['chief'])}).",
            "worker",
        )


def _note_program(template: Template, task_type: str, way: str, notes: Notes) -> None:
    """The TFJob's own program is an Estimator's, unless it was changed before its manifest."""
    words = [*(template.container.get("command") or ()), *(template.container.get("args") or ())]
    if not any(f"--strategy={way}" in str(word) for word in words):
        program = f"`{shlex.join(map(str, words))}`" if words else "its image's entry point"
        notes.add(
            f"runs {program}: that must be the new program, which trains with "
            f"{STRATEGIES[way]} (modern.train: --strategy={way}). --command=... replaces it.",
            task_type,
        )


def _shares(template: Template, target: str) -> bool:
    kinds = (*_SHARED, _OF_A_MACHINE) if target == "compose" else _SHARED
    volumes: Sequence[Mapping[str, Any]] = template.pod["spec"].get("volumes") or ()
    words = [*(template.container.get("command") or ()), *(template.container.get("args") or ())]
    remote = any(scheme in str(word) for word in words for scheme in _REMOTE)
    return remote or any(kind in volume for volume in volumes for kind in kinds)
