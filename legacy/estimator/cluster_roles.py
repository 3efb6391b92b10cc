"""This process's place in the cluster that TF_CONFIG describes, as RunConfig's properties tell it.

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
    """Where this process stands in the cluster; the defaults are a local run."""

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
    """Finds the place of a task of a cluster without a strategy.

    Args:
      environment: TF_CONFIG, parsed.

    Returns:
      The place.

    Raises:
      ValueError: The cluster has not exactly one chief (or master), or the task is not in it.
    """
    task = _dict(environment, "task")
    cluster = tf.train.ClusterSpec(_dict(environment, "cluster"))
    if not cluster.jobs:
        return _local(environment, task)
    jobs = cluster.as_dict()
    chief = "master" if "master" in jobs else "chief"
    _check_chief(cluster, jobs, chief)
    task_type, task_id = _task(task)
    if task_type == "evaluator":
        if chief == "master":
            raise ValueError(
                "If `master` node exists in `cluster`, task_type `evaluator` is not supported."
            )
        return Place(
            task_type=task_type, task_id=task_id, global_id=None, is_chief=False, num_workers=0
        )
    return Place(
        cluster_spec=cluster,
        task_type=task_type,
        task_id=task_id,
        global_id=_global_id(cluster, chief, task_type, task_id),
        master=_master(environment, cluster, task_type, task_id),
        evaluation_master=environment.get("eval_session_master", ""),
        is_chief=task_type == chief,
        num_ps=_count(cluster, "ps"),
        num_workers=_count(cluster, "worker") + 1,
    )


def place_for_strategy(environment: Mapping[str, Any]) -> Place:
    """Finds the place of a task whose training a strategy distributes.

    A strategy needs no chief: without one, worker 0 saves.

    Args:
      environment: TF_CONFIG, parsed.

    Returns:
      The place.

    Raises:
      ValueError: The task is missing or not in the cluster.
    """
    task = _dict(environment, "task")
    cluster = tf.train.ClusterSpec(_dict(environment, "cluster"))
    if not cluster.jobs:
        return _local(environment, task)
    task_type, task_id = _task(task)
    workers = _count(cluster, "worker") + sum(_count(cluster, name) for name in CHIEF_TYPES)
    if task_type == "evaluator":
        return Place(task_type=task_type, task_id=task_id, global_id=None, is_chief=False)
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


def _dict(environment: Mapping[str, Any], key: str) -> Any:
    value = environment.get(key) or {}
    if not isinstance(value, dict):
        raise ValueError(f'"{key}" in TF_CONFIG must be a JSON object, and is {value!r}.')
    return value


def _local(environment: Mapping[str, Any], task: Mapping[str, Any]) -> Place:
    task_type = task.get("type", "worker")
    task_id = int(task.get("index", 0))
    if task_type == "evaluator":
        return Place(
            task_type=task_type, task_id=task_id, global_id=None, is_chief=False, num_workers=0
        )
    return Place(
        task_type=task_type,
        task_id=task_id,
        master=environment.get("session_master", ""),
        evaluation_master=environment.get("eval_session_master", ""),
    )


def _check_chief(cluster: tf.train.ClusterSpec, jobs: Mapping[str, Any], chief: str) -> None:
    if chief not in jobs:
        raise ValueError('If "cluster" is set in TF_CONFIG, it must have one "chief" node.')
    if chief == "master" and "chief" in jobs:
        raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
    if len(jobs[chief]) != 1:
        raise ValueError(
            f'The "cluster" in TF_CONFIG must have only one "{chief}" node: {cluster}.'
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
    """Counts the tasks before this one, in the order chief, workers, ps, then the rest by name."""
    order = [chief, "worker", "ps"]
    order += sorted(set(cluster.jobs) - set(order))
    before = order[: order.index(task_type)] if task_type in order else []
    return sum(_count(cluster, name) for name in before) + task_id


def _master(
    environment: Mapping[str, Any], cluster: tf.train.ClusterSpec, task_type: str, task_id: int
) -> str:
    _check_in_cluster(cluster, task_type, task_id)
    if "session_master" in environment:
        return environment["session_master"]
    if sum(_count(cluster, name) for name in cluster.jobs) == 1:
        return ""  # Alone: it needs no server.
    return f"grpc://{cluster.task_address(task_type, task_id)}"
