"""Tests of `jobs`, which describes a job and its tasks, and lists their problems."""

import pytest

from migrate.cluster.old_jobs import jobs
from tests.migrate.cluster import manifests
from tests.migrate.cluster.manifests import CLUSTER, tf_config


def texts(*tasks, cluster=CLUSTER):
    return [(f"{t}-{i}.json", tf_config(t, i, cluster)) for t, i in tasks]


def test_one_tf_config_names_all_tasks_but_an_evaluator():
    job = jobs.from_texts("mnist", texts(("worker", 1)))
    assert [task.name for task in job.tasks] == ["chief-0", "worker-0", "worker-1", "ps-0"]
    assert (job.trainers, job.asynchronous, job.has_evaluator) == (3, True, False)
    assert jobs.problems(job, "legacy") == []


@pytest.mark.parametrize(
    ("job", "named"),
    [
        (jobs.from_texts("m", texts(("chief", 0)), evaluator=True), False),
        (jobs.from_texts("m", texts(("evaluator", 0))), False),
        (manifests.job({**CLUSTER, "evaluator": ["e:1"]}), True),
    ],
)
def test_an_evaluator_is_known_by_the_flag_its_own_variable_or_its_address(job, named):
    assert job.tasks[-1].name == "evaluator-0"
    assert "evaluator" not in job.cluster
    assert job.names_evaluator == named


@pytest.mark.parametrize(
    ("cluster", "strategy"),
    [
        (CLUSTER, "none"),
        ({"worker": ["a:1", "b:1"]}, "collective_all_reduce"),
        ({"chief": ["a:1"]}, "none"),
    ],
)
def test_the_old_strategy_is_what_the_cluster_allows(cluster, strategy):
    assert manifests.job(cluster).train_distribute == strategy


def test_a_strategy_that_is_said_is_checked():
    job = manifests.job(train_distribute="collective_all_reduce")
    (problem,) = jobs.problems(job, "legacy")
    assert "names 1 ps" in problem


def test_tasks_that_name_different_clusters_cannot_be_converted():
    other = {**CLUSTER, "worker": ["b:2222"]}
    job = jobs.from_texts("m", texts(("chief", 0)) + texts(("worker", 0), cluster=other))
    (error,) = job.errors
    assert "worker-0.json (worker-0) names another cluster than chief-0.json" in error
    assert "\"worker\" is ['b:2222'] there and ['b:2222', 'c:2222'] here" in error


def test_two_processes_that_are_the_same_task():
    job = jobs.from_texts("m", [("one", tf_config()), ("two", tf_config())])
    assert "two and one both make their process chief-0" in job.errors[0]


def test_a_task_that_nobody_starts_is_a_problem_but_no_error():
    job = jobs.from_texts("m", texts(("chief", 0), ("worker", 0), ("ps", 0)))
    assert job.errors == ()
    (problem,) = jobs.problems(job, "legacy")
    assert problem.startswith("worker-1: named in the cluster, and no TF_CONFIG")


def test_what_cannot_be_read_is_an_error_and_nothing_else_is_said():
    job = jobs.from_texts("m", [("m.json", "{")])
    assert jobs.problems(job, "parameter_server") == list(job.errors)
    assert job.errors[0].startswith("m.json: TF_CONFIG is not JSON")


def test_problems_are_those_of_the_way():
    job = manifests.job()
    assert jobs.problems(job, "parameter_server") == []
    (problem,) = jobs.problems(job, "multi_worker_mirrored")
    assert 'Remove "ps"' in problem


def test_no_cluster_trains_alone():
    job = jobs.from_texts("m", [("m.json", "{}")])
    assert (job.tasks, job.trainers, jobs.problems(job, "legacy")) == ((), 1, [])


def test_an_evaluator_that_names_only_itself_is_one_of_the_job_and_a_problem():
    alone = texts(("evaluator", 0), cluster={"evaluator": ["e:1"]})
    job = jobs.from_texts("m", alone + texts(("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0)))
    assert (job.errors, job.trainers, job.tasks[-1].name) == ((), 3, "evaluator-0")
    (problem,) = jobs.problems(job, "legacy")
    assert problem.startswith("evaluator-0.json (evaluator-0) names only itself. Give it")


def test_a_value_that_the_shell_completes():
    job = jobs.from_texts("m", [("m.sh", tf_config().replace("0", "$INDEX"))])
    assert job.errors[0].endswith('give the output of `echo "$TF_CONFIG"`')
