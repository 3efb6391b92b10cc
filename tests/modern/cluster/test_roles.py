"""Tests of `modern.cluster.roles`, which tells the work of each task, for each way of training."""

import pytest

from modern.cluster import roles, tf_config

PS_CLUSTER = {"chief": ("a:1",), "worker": ("b:1", "c:1"), "ps": ("d:1",)}
SYNCHRONOUS = {"worker": ("a:1", "b:1")}
CHIEF_AND_WORKERS = {"chief": ("a:1",), "worker": ("b:1", "c:1")}
DUTIES = ("trains", "saves", "serves_only", "evaluates", "coordinates")


def task(cluster, task_type, index=0):
    return tf_config.TFConfig(cluster, task_type, index)


@pytest.mark.parametrize(
    ("way", "cluster", "task_type", "index", "duties", "trainer"),
    [
        ("legacy", PS_CLUSTER, "chief", 0, {"trains", "saves"}, 0),
        ("legacy", PS_CLUSTER, "worker", 0, {"trains"}, 1),
        ("legacy", PS_CLUSTER, "worker", 1, {"trains"}, 2),
        ("legacy", PS_CLUSTER, "ps", 0, {"serves_only"}, None),
        ("legacy", PS_CLUSTER, "evaluator", 0, {"evaluates"}, None),
        ("parameter_server", PS_CLUSTER, "chief", 0, {"coordinates", "saves"}, None),
        ("parameter_server", PS_CLUSTER, "worker", 0, {"trains", "serves_only"}, 0),
        ("parameter_server", PS_CLUSTER, "worker", 1, {"trains", "serves_only"}, 1),
        ("parameter_server", PS_CLUSTER, "ps", 0, {"serves_only"}, None),
        ("parameter_server", PS_CLUSTER, "evaluator", 0, {"evaluates"}, None),
        ("multi_worker_mirrored", SYNCHRONOUS, "worker", 0, {"trains", "saves"}, 0),
        ("multi_worker_mirrored", SYNCHRONOUS, "worker", 1, {"trains"}, 1),
        ("multi_worker_mirrored", CHIEF_AND_WORKERS, "chief", 0, {"trains", "saves"}, 0),
        ("multi_worker_mirrored", CHIEF_AND_WORKERS, "worker", 0, {"trains"}, 1),
        ("multi_worker_mirrored", CHIEF_AND_WORKERS, "evaluator", 0, {"evaluates"}, None),
        ("single", {"chief": ("a:1",)}, "chief", 0, {"trains", "saves"}, 0),
        ("mirrored", {"worker": ("a:1",)}, "evaluator", 0, {"evaluates"}, None),
    ],
)
def test_role_table(way, cluster, task_type, index, duties, trainer):
    config = task(cluster, task_type, index)
    role = roles.role_of(config, way)
    assert {duty for duty in DUTIES if getattr(role, duty)} == duties
    assert role.description
    assert roles.trainer_index(config, way) == trainer


@pytest.mark.parametrize(
    ("way", "cluster", "trainers"),
    [
        ("legacy", PS_CLUSTER, 3),
        ("parameter_server", PS_CLUSTER, 2),
        ("multi_worker_mirrored", SYNCHRONOUS, 2),
        ("multi_worker_mirrored", CHIEF_AND_WORKERS, 3),
        ("single", {"chief": ("a:1",)}, 1),
    ],
)
def test_trainers_are_counted_not_tasks(way, cluster, trainers):
    for task_type in cluster:
        assert roles.num_trainers(task(cluster, task_type), way) == trainers


@pytest.mark.parametrize("way", tf_config.WAYS)
def test_exactly_one_task_saves_and_trainers_are_numbered_through(way):
    cluster = PS_CLUSTER if way in ("legacy", "parameter_server") else CHIEF_AND_WORKERS
    if way in ("single", "mirrored"):
        cluster = {"worker": ("a:1",)}
    tasks = [task(cluster, kind, i) for kind in cluster for i in range(len(cluster[kind]))]
    assert sum(roles.role_of(each, way).saves for each in tasks) == 1
    indices = [roles.trainer_index(each, way) for each in tasks]
    numbered = sorted(index for index in indices if index is not None)
    assert numbered == list(range(roles.num_trainers(tasks[0], way)))


@pytest.mark.parametrize("way", tf_config.WAYS)
def test_alone(way):
    role = roles.role_of(None, way)
    assert role.trains
    assert role.saves
    assert (roles.num_trainers(None, way), roles.trainer_index(None, way)) == (1, 0)


def test_sizes():
    assert roles.sizes(None) == {"chief": 0, "worker": 0, "ps": 0, "evaluator": 0}
    assert roles.sizes(task(PS_CLUSTER, "ps")) == {"chief": 1, "worker": 2, "ps": 1, "evaluator": 0}
    assert roles.sizes(task(SYNCHRONOUS, "evaluator"))["evaluator"] == 1
