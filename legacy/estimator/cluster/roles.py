"""The place of this process in the cluster of TF_CONFIG, for the properties of RunConfig.

>>> there = place({"cluster": {"chief": ["a:1"], "worker": ["b:1"], "ps": ["c:1"]},
...                "task": {"type": "worker", "index": 0}})
>>> there.master, there.num_workers, there.global_id, there.is_chief
('grpc://b:1', 2, 1, False)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

CHIEF_TYPES = ("chief", "master")


@dataclasses.dataclass(frozen=True)
class Place:
    """The place of this process in the cluster. The defaults describe a local run."""

    cluster_spec: tf.train.ClusterSpec = dataclasses.field(
        default_factory=lambda: tf.train.ClusterSpec({})
    )
    task_type: str = "worker"
    task_id: int = 0
    global_id: int | None = 0
    master: str = ""
    evaluation_master: str = ""
    is_chief: bool = True
    num_ps: int = 0
    num_workers: int = 1


def place(environment: Mapping[str, Any]) -> Place:
    """Returns the place of a task in a cluster that trains without a strategy.

    Args:
      environment: The parsed TF_CONFIG.

    Returns:
      The place.

    Raises:
      ValueError: The cluster has not exactly one chief (or master), or the task is not in it.
    """
    task = _task_of(environment)
    cluster = cluster_of(environment)
    if not cluster.jobs:
        return _local(environment, task)
    chief = "master" if "master" in cluster.jobs else "chief"
    _check_chief(cluster, chief)
    task_type, task_id = _task(task)
    if task_type == "evaluator":
        if chief == "master":
            raise ValueError(
                "If `master` node exists in `cluster`, task_type `evaluator` is not supported."
            )
        return _evaluator(environment, task_id)
    return Place(
        cluster_spec=cluster,
        task_type=task_type,
        task_id=task_id,
        global_id=_global_id(cluster, chief, task_type, task_id),
        master=_master(environment, cluster, task_type, task_id),
        is_chief=task_type == chief,
        num_ps=_count(cluster, "ps"),
        # The chief trains, too, and RunConfig counted it as a worker.
        num_workers=_count(cluster, "worker") + 1,
    )


def place_for_strategy(environment: Mapping[str, Any]) -> Place:
    """Returns the place of a task whose training a strategy distributes.

    A strategy needs no chief. Without a chief, worker 0 saves.

    Args:
      environment: The parsed TF_CONFIG, with a cluster.

    Returns:
      The place. If TF_CONFIG does not name the task, it is the place of a local run with this
      cluster. Training then reports the missing settings.

    Raises:
      ValueError: The task is not in the cluster.
    """
    task = _task_of(environment)
    cluster = cluster_of(environment)
    if not task.get("type"):
        return Place(cluster_spec=cluster)
    task_type, task_id = _task(task)
    workers = _count(cluster, "worker") + sum(_count(cluster, name) for name in CHIEF_TYPES)
    if task_type == "evaluator":
        return _evaluator(environment, task_id)
    has_chief = any(name in cluster.jobs for name in CHIEF_TYPES)
    return Place(
        cluster_spec=cluster,
        task_type=task_type,
        task_id=task_id,
        global_id=_global_id(cluster, "chief", task_type, task_id),
        master=_master(environment, cluster, task_type, task_id),
        is_chief=task_type in CHIEF_TYPES
        or (not has_chief and (task_type, task_id) == ("worker", 0)),
        num_ps=_count(cluster, "ps"),
        num_workers=workers,
    )


def cluster_of(environment: Mapping[str, Any]) -> tf.train.ClusterSpec:
    """Returns the cluster that TF_CONFIG describes.

    Args:
      environment: The parsed TF_CONFIG.

    Returns:
      The cluster. It is empty if TF_CONFIG has no cluster.

    Raises:
      TypeError: The cluster is not a JSON object, or a job's tasks are not a list of addresses.
    """
    cluster = environment.get("cluster", {})
    if not isinstance(cluster, dict):
        raise TypeError(
            '"cluster" in TF_CONFIG must be a dictionary from task types to lists of addresses, '
            f"and is {cluster!r}."
        )
    return tf.train.ClusterSpec(cluster)


def _task_of(environment: Mapping[str, Any]) -> dict[str, Any]:
    task = environment.get("task") or {}
    if not isinstance(task, dict):
        raise ValueError(f'"task" in TF_CONFIG must be a JSON object, and is {task!r}.')
    return task


def _local(environment: Mapping[str, Any], task: Mapping[str, Any]) -> Place:
    if task.get("type", "worker") != "worker":
        raise ValueError(
            'If "cluster" is not set in TF_CONFIG, task type must be WORKER. '
            f"It is {task['type']!r}."
        )
    if int(task.get("index", 0)) != 0:
        raise ValueError(
            f'If "cluster" is not set in TF_CONFIG, task index must be 0. It is {task["index"]}.'
        )
    return Place(
        master=environment.get("session_master", ""),
        evaluation_master=environment.get("eval_session_master", ""),
    )


def _evaluator(environment: Mapping[str, Any], task_id: int) -> Place:
    """Returns the place of an evaluator, which only reads checkpoints and is not in the cluster."""
    return Place(
        task_type="evaluator",
        task_id=task_id,
        global_id=None,
        evaluation_master=environment.get("eval_session_master", ""),
        is_chief=False,
        num_workers=0,
    )


def _check_chief(cluster: tf.train.ClusterSpec, chief: str) -> None:
    if chief == "master" and "chief" in cluster.jobs:
        raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    # `job_tasks` fails for a job without tasks. It returns a list with gaps if indices are missing,
    # so its length is 1 only for a single task at index 0.
    if not cluster.num_tasks(chief) or len(cluster.job_tasks(chief)) != 1:
        raise ValueError(
            f'The "cluster" in TF_CONFIG must have only one "{chief}" node. It is {cluster}.'
        )


def _task(task: Mapping[str, Any]) -> tuple[str, int]:
    if not task.get("type"):
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if task.get("index") is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    task_id = int(task["index"])
    if task_id < 0:
        raise ValueError("Task index must be non-negative number.")
    return task["type"], task_id


def _check_in_cluster(cluster: tf.train.ClusterSpec, task_type: str, task_id: int) -> None:
    hint = f"{cluster}. These values may come from the TF_CONFIG environment variable."
    if task_type not in cluster.jobs:
        raise ValueError(f"{task_type} is not a valid task_type in the cluster_spec: {hint}")
    if task_id not in cluster.task_indices(task_type):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} in the cluster_spec: "
            f"{hint}"
        )


def _count(cluster: tf.train.ClusterSpec, task_type: str) -> int:
    return cluster.num_tasks(task_type) if task_type in cluster.jobs else 0


def _global_id(cluster: tf.train.ClusterSpec, chief: str, task_type: str, task_id: int) -> int:
    """Returns the number of tasks before this one.

    The order is the chief, then all other types by name, and the ps at the end.
    """
    _check_in_cluster(cluster, task_type, task_id)
    between = sorted(set(cluster.jobs) - {chief, "ps"})
    order = [chief, *between, "ps"]
    preceding_jobs = order[: order.index(task_type)]
    return sum(_count(cluster, name) for name in preceding_jobs) + task_id


def _master(
    environment: Mapping[str, Any], cluster: tf.train.ClusterSpec, task_type: str, task_id: int
) -> str:
    if "session_master" in environment:
        return environment["session_master"]
    if sum(_count(cluster, name) for name in cluster.jobs) == 1:
        return ""  # The only task of a cluster needs no server.
    return f"grpc://{cluster.task_address(task_type, task_id)}"
