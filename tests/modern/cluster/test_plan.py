"""Tests of `plan`, which names the tasks of a local cluster and writes the TF_CONFIG of each."""

import os

import pytest

from modern.cluster import plan, tf_config


def read(task):
    return tf_config.parse(task.tf_config)


def test_each_task_is_told_who_it_is():
    tasks = plan.assign({"chief": 1, "worker": 2, "ps": 1}, "chief", evaluator=False)
    assert [read(task).name for task in tasks] == ["chief-0", "worker-0", "worker-1", "ps-0"]
    assert all(read(task).address == task.address for task in tasks)
    assert len({task.address for task in tasks}) == 4


def test_the_evaluator_is_in_nobodys_cluster():
    tasks = plan.assign({"chief": 1, "worker": 1}, "chief", evaluator=True)
    assert read(tasks[-1]).task_type == "evaluator"
    assert tasks[-1].address is None
    assert all(set(read(task).cluster) == {"chief", "worker"} for task in tasks)


def test_the_old_name_of_the_chief():
    task = plan.assign({"master": 1, "worker": 1}, "master", evaluator=False)[0]
    assert task.task_type == "master"
    assert '"master"' in task.tf_config
    assert "chief" not in task.tf_config


def test_no_address_for_types_without_tasks():
    (task,) = plan.assign({"chief": 0, "worker": 1, "ps": 0}, "chief", evaluator=False)
    assert set(read(task).cluster) == {"worker"}


@pytest.mark.parametrize(
    ("command", "counts", "word"),
    [
        (["true"], {"worker": -1}, "worker=-1"),
        (["true"], {"worker": 0, "ps": 2}, "2 ps, no chief and no worker"),
        ([], {"worker": 1}, "no command"),
        (["no-such-program"], {"worker": 1}, "'no-such-program' cannot be found"),
    ],
)
def test_what_cannot_run(command, counts, word):
    with pytest.raises(ValueError, match=word):
        plan.check(command, counts, os.environ)


@pytest.mark.parametrize(
    ("env", "excepted"),
    [
        ({}, "localhost"),
        ({"no_proxy": "a.com"}, "a.com,localhost"),
        ({"no_proxy": "a.com", "no_grpc_proxy": "b.com"}, "b.com,localhost"),
    ],
)
def test_local_traffic_goes_through_no_proxy(env, excepted):
    assert plan.without_proxy(env) == {"no_grpc_proxy": excepted}
