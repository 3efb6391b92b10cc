"""Tests of `conversion`, which converts a job's cluster for a strategy of tf.distribute."""

import pytest

from migrate.cluster import conversion
from migrate.cluster.conversion import convert
from migrate.cluster.old_jobs import jobs
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import manifests
from tests.migrate.cluster.manifests import CLUSTER

MASTER = {"master": ["a:2222"], "worker": ["b:2222"], "ps": ["d:2222"]}
SYNCHRONOUS = {"worker": ["a:1", "b:1"]}
CHIEF_AND_WORKERS = {"chief": ["a:1"], "worker": ["b:1"]}
NO_CHIEF = {"worker": ["a:1", "b:1"], "ps": ["c:1"]}


@pytest.mark.parametrize("cluster", [CLUSTER, MASTER, SYNCHRONOUS, CHIEF_AND_WORKERS, NO_CHIEF])
@pytest.mark.parametrize("way", conversion.WAYS)
@pytest.mark.parametrize("evaluator", [False, True])
def test_as_many_train_as_before_and_every_new_task_is_valid(cluster, way, evaluator):
    job = manifests.job(cluster, evaluator=evaluator)
    made = convert(job, way, evaluator=evaluator)
    assert (made.tasks[-1].name == "evaluator-0") == evaluator
    assert made.trainers == job.trainers
    for task in made.tasks:
        again = tf_config.parse(task.to_json())
        tf_config.validate(again, way, check_port=False)
        assert "evaluator" not in again.cluster
    assert len({task.to_json() for task in made.tasks}) == len(made.tasks)


@pytest.mark.parametrize(
    ("cluster", "added"),
    [
        (CLUSTER, ("worker-2",)),
        (SYNCHRONOUS, ("chief-0", "ps-0")),
        (CHIEF_AND_WORKERS, ("worker-1", "ps-0")),
        (NO_CHIEF, ("chief-0",)),
        ({"chief": ["a:1"], "ps": ["b:1"]}, ("worker-0",)),
    ],
)
def test_the_coordinator_takes_one_more_task(cluster, added):
    made = convert(manifests.job(cluster), "parameter_server")
    assert made.added == added
    for name in added:
        assert any(line.startswith(f"One more task, {name} at") for line in made.changes)


def test_old_tasks_stay_where_they_are_and_new_ones_go_beside_the_leader():
    made = convert(manifests.job(), "parameter_server")
    assert made.cluster == {
        "chief": ("a:2222",), "worker": ("b:2222", "c:2222", "a:2223"), "ps": ("d:2222",),
    }  # fmt: skip
    assert made.changes[-1].startswith("worker-2 beside the old chief-0, on the next port")


def test_a_port_of_the_cluster_is_not_taken_twice():
    cluster = {"chief": ["H:65534"], "worker": ["h:65535", "h:65533"], "ps": ["h:65532"]}
    made = convert(manifests.job(cluster), "parameter_server")
    assert made.cluster["worker"][-1] == "H:65531"


def test_an_address_may_be_chosen():
    made = convert(manifests.job(), "parameter_server", chosen_addresses={"worker-2": "e:1"})
    assert made.cluster["worker"] == ("b:2222", "c:2222", "e:1")
    assert not any("beside the old" in line for line in made.changes)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"worker-9": "e:1"}, "the tasks are chief-0, worker-0, worker-1, worker-2, ps-0"),
        ({"worker-2": "D:2222"}, "is the address of two tasks"),
        ({"worker-2": "e"}, "without a host or a port"),
    ],
)
def test_an_address_that_cannot_be(given, message):
    with pytest.raises(cli.UsageError, match=message):
        convert(manifests.job(), "parameter_server", chosen_addresses=given)


def test_a_ring_has_no_ps_and_the_chief_is_in_it():
    made = convert(manifests.job(), "multi_worker_mirrored")
    assert made.cluster == {"chief": ("a:2222",), "worker": ("b:2222", "c:2222")}
    assert (made.added, made.removed) == ((), ("ps-0",))
    assert made.changes[0].startswith("ps-0: not started, and not named. Each of the 3 trainers")


def test_a_master_is_a_chief_that_evaluates_no_more():
    said = " ".join(convert(manifests.job(MASTER), "multi_worker_mirrored").changes)
    assert '"master" is called "chief"' in said
    assert "--evaluator adds one that does" in said


def test_an_evaluator_may_be_added_to_a_master_that_evaluated():
    job = manifests.job(MASTER, evaluator=True)
    assert not job.has_evaluator
    assert jobs.problems(job, "legacy") == []
    made = convert(job, "parameter_server", evaluator=True)
    assert made.added == ("worker-1", "evaluator-0")
    assert any(line.endswith("the evaluator does that now.") for line in made.changes)
    assert not any("One more task, evaluator" in line for line in made.changes)


@pytest.mark.parametrize("cluster", [{"ps": ["a:1"]}, {"evaluator": ["a:1"]}])
def test_a_cluster_where_nothing_trains(cluster):
    (task_type,) = cluster
    job = jobs.from_texts("m", [("m.json", manifests.tf_config(task_type, 0, cluster))])
    with pytest.raises(cli.UsageError, match="no chief and no worker"):
        convert(job, "parameter_server")


def test_a_named_evaluator_is_named_no_more():
    job = manifests.job({**CLUSTER, "evaluator": ["e:1"]})
    made = convert(job, "parameter_server")
    assert made.tasks[-1].name == "evaluator-0"
    assert any("is not named in it any more" in line for line in made.changes)


@pytest.mark.parametrize("text", ["{}", manifests.tf_config("chief", 0, {"chief": ["a:1"]})])
def test_one_trainer_alone_needs_no_cluster(text):
    with pytest.raises(cli.UsageError, match="--strategy=single"):
        convert(jobs.from_texts("m", [("m.json", text)]), "parameter_server")


def test_a_scheduler_names_every_task():
    made = convert(manifests.job(), "parameter_server", address_of=lambda t, i: f"{t}{i}:1")
    assert made.cluster["worker"] == ("worker0:1", "worker1:1", "worker2:1")
    assert not any("beside" in line for line in made.changes if "worker-2" in line)


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        (
            "model_dir",
            '"gs://a"',
            "gs://a is left out: only an Estimator read it there. Pass it to the program in "
            "another way.",
        ),
        (
            "job",
            '{"tier": 1}',
            '{"tier": 1} is left out: a training service wrote it there. Pass it in another way to '
            "a program that reads it.",
        ),
        ("rpc_layer", '"grpc+gdr"', "grpc+gdr is left out: TensorFlow 2 supports only grpc."),
    ],
)
def test_what_tf_config_says_besides_is_left_out_and_said(key, value, why):
    text = manifests.tf_config()[:-1] + f', "environment": "cloud", "{key}": {value}}}'
    made = convert(jobs.from_texts("m", [("m.json", text)]), "multi_worker_mirrored")
    assert [line for line in made.changes if "left out" in line] == [f"TF_CONFIG's {key}: {why}"]
