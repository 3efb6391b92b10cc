"""Tests that RunConfig has the properties and errors of tf.estimator in TensorFlow 2.15."""

import json

import pytest
import tensorflow as tf

from legacy.estimator import RunConfig
from legacy.estimator.cluster import coordination

CLUSTER = {"chief": ["h0:1"], "worker": ["h1:1", "h2:1"], "ps": ["h3:1", "h4:1"]}
MASTER = {"master": ["h0:1"], "worker": ["h1:1", "h2:1"], "ps": ["h3:1", "h4:1"]}


@pytest.fixture
def environ(monkeypatch):
    def set_it(cluster=None, task_type=None, index=None, **more):
        task = {"type": task_type, "index": index}
        content = {"task": {k: v for k, v in task.items() if v is not None}, **more}
        if cluster is not None:
            content["cluster"] = cluster
        monkeypatch.setenv("TF_CONFIG", json.dumps(content))

    monkeypatch.delenv("TF_CONFIG", raising=False)
    return set_it


def place(config):
    return (
        config.task_type,
        config.task_id,
        config.is_chief,
        config.master,
        config.num_ps_replicas,
        config.num_worker_replicas,
        config.global_id_in_cluster,
    )


# Values of the properties in TensorFlow 2.15.
@pytest.mark.parametrize(
    ("cluster", "task_type", "index", "expected"),
    [
        (CLUSTER, "chief", 0, ("chief", 0, True, "grpc://h0:1", 2, 3, 0)),
        (CLUSTER, "worker", 1, ("worker", 1, False, "grpc://h2:1", 2, 3, 2)),
        (CLUSTER, "worker", "1", ("worker", 1, False, "grpc://h2:1", 2, 3, 2)),
        (CLUSTER, "ps", 1, ("ps", 1, False, "grpc://h4:1", 2, 3, 4)),
        (CLUSTER, "evaluator", 0, ("evaluator", 0, False, "", 0, 0, None)),
        (MASTER, "master", 0, ("master", 0, True, "grpc://h0:1", 2, 3, 0)),
        ({"chief": ["h:1"]}, "chief", 0, ("chief", 0, True, "", 0, 1, 0)),
        ({**CLUSTER, "other": ["h5:1"]}, "worker", 1, ("worker", 1, False, "grpc://h2:1", 2, 3, 3)),
        (None, "worker", 0, ("worker", 0, True, "", 0, 1, 0)),
        (None, None, None, ("worker", 0, True, "", 0, 1, 0)),
    ],
)
def test_place_in_the_cluster(environ, cluster, task_type, index, expected):
    environ(cluster, task_type, index)
    assert place(RunConfig()) == expected


@pytest.mark.parametrize(
    ("cluster", "task_type", "index", "message"),
    [
        (CLUSTER, "master", 0, "master is not a valid task_type"),
        (CLUSTER, "worker", 2, "2 is not a valid task_id for task_type worker"),
        (CLUSTER, "worker", -1, "Task index must be non-negative"),
        (CLUSTER, None, 0, "task type must be set"),
        (CLUSTER, "worker", None, "task index must be set"),
        ({"worker": ["h:1"]}, "worker", 0, 'must have one "chief" node'),
        ({"chief": ["h:1", "h:2"]}, "chief", 0, 'must have only one "chief" node'),
        ({"chief": ["h:1"], "master": ["h:2"]}, "chief", 0, "job `chief` is not supported"),
        (MASTER, "evaluator", 0, "task_type `evaluator` is not supported"),
        (None, "chief", 0, "task type must be WORKER"),
        (None, "worker", 1, "task index must be 0"),
    ],
)
def test_wrong_clusters(environ, cluster, task_type, index, message):
    environ(cluster, task_type, index)
    with pytest.raises(ValueError, match=message):
        RunConfig()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("no json", ValueError),
        ("[]", ValueError),
        ('{"task": [1]}', ValueError),
        ('{"cluster": 5}', TypeError),
        ('{"cluster": null}', TypeError),
        ('{"cluster": {"chief": {"1": "h:1"}}}', ValueError),
    ],
)
def test_malformed_tf_config(monkeypatch, text, error):
    monkeypatch.setenv("TF_CONFIG", text)
    with pytest.raises(error, match="TF_CONFIG"):
        RunConfig()


@pytest.mark.parametrize(
    ("task_type", "index", "filters"),
    [
        ("chief", 0, ["/job:ps", "/job:chief"]),
        ("worker", 1, ["/job:ps", "/job:worker/task:1"]),
        ("ps", 0, ["/job:ps", "/job:worker", "/job:chief", "/job:master"]),
    ],
)
def test_a_dead_worker_is_filtered_from_the_others_sessions(environ, task_type, index, filters):
    environ(CLUSTER, task_type, index)
    assert list(RunConfig().session_config.device_filters) == filters


def test_no_session_config_without_a_cluster(environ):
    assert RunConfig().session_config is None


@pytest.mark.parametrize(
    "settings",
    [
        {"model_dir": ""},
        {"tf_random_seed": 1.5},
        {"save_summary_steps": -1},
        {"save_checkpoints_steps": -1},
        {"save_checkpoints_steps": 5, "save_checkpoints_secs": 5},
        {"session_config": {}},
        {"keep_checkpoint_max": -1},
        {"keep_checkpoint_every_n_hours": 0},
        {"log_step_count_steps": 0},
        {"device_fn": 5},
        {"device_fn": lambda a, b: None},
        {"protocol": "http"},
        {"experimental_max_worker_delay_secs": "a"},
        {"session_creation_timeout_secs": 0},
    ],
    ids=lambda settings: f"{next(iter(settings))}-{type(next(iter(settings.values()))).__name__}",
)
def test_wrong_settings(environ, settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        RunConfig(**settings)


@pytest.mark.parametrize(
    ("settings", "steps", "secs"),
    [
        ({}, None, 600),
        ({"save_checkpoints_steps": 5}, 5, None),
        ({"save_checkpoints_secs": 5}, None, 5),
        ({"save_checkpoints_steps": None}, None, None),
        ({"save_checkpoints_steps": 0}, 0, None),
    ],
    ids=str,
)
def test_save_intervals(environ, settings, steps, secs):
    config = RunConfig(**settings)
    assert (config.save_checkpoints_steps, config.save_checkpoints_secs) == (steps, secs)


def test_replacing_one_interval_unsets_the_other(environ):
    by_steps = RunConfig(save_checkpoints_steps=7)
    by_secs = by_steps.replace(save_checkpoints_secs=3)
    assert (by_secs.save_checkpoints_steps, by_secs.save_checkpoints_secs) == (None, 3)
    assert by_steps.save_checkpoints_steps == 7


@pytest.mark.parametrize("name", ["foo", "master", "task_id"])
def test_not_all_can_be_replaced(environ, name):
    with pytest.raises(ValueError, match=f"Replacing {name} is not supported"):
        RunConfig().replace(**{name: 1})


def test_model_dir_of_tf_config(environ):
    environ(model_dir="/tmp/one")
    assert RunConfig().model_dir == "/tmp/one"
    with pytest.raises(ValueError, match="must have the same value"):
        RunConfig(model_dir="/tmp/two")


def test_a_strategy_needs_no_chief(environ):
    environ({"worker": ["h1:1", "h2:1"]}, "worker", 1)
    config = RunConfig(train_distribute=tf.distribute.get_strategy())
    assert place(config) == ("worker", 1, False, "grpc://h2:1", 0, 2, 1)


def test_under_a_strategy_the_task_may_be_missing_until_it_trains(environ):
    environ({"worker": ["h1:1", "h2:1"]})
    config = RunConfig(train_distribute=tf.distribute.get_strategy())
    assert place(config) == ("worker", 0, True, "", 0, 1, 0)
    with pytest.raises(RuntimeError, match="specify master in RunConfig or set the TF_CONFIG"):
        coordination.train(config, None, None, run=None)


def test_ps_without_a_cluster_are_not_waited_for(environ):
    class Fake(RunConfig):
        num_ps_replicas = 2

    assert coordination.train(Fake(), None, None, run=lambda training: [training]) == [None]


class Distribute:
    """The attributes of tf.contrib.distribute.DistributeConfig."""

    def __init__(self, train_distribute=None, eval_distribute=None, remote_cluster=None):
        self.train_distribute = train_distribute
        self.eval_distribute = eval_distribute
        self.remote_cluster = remote_cluster


def test_strategies_from_experimental_distribute(environ):
    strategy = tf.distribute.get_strategy()
    config = RunConfig(experimental_distribute=Distribute(strategy, strategy))
    assert config.train_distribute is config.eval_distribute is strategy
    with pytest.raises(ValueError, match="Either `train_distribute` or"):
        RunConfig(train_distribute=strategy, experimental_distribute=Distribute(strategy))


def test_a_remote_cluster(environ):
    remote = {"worker": ["h1:1", "h2:1"]}
    distribute = Distribute(tf.distribute.get_strategy(), None, remote)
    config = RunConfig(experimental_distribute=distribute)
    assert config.cluster_spec == remote
    environ(CLUSTER, "chief", 0)
    with pytest.raises(ValueError, match="Cannot set both"):
        RunConfig(experimental_distribute=distribute)


def test_a_copy_has_its_own_attributes_and_the_same_strategy(environ):
    config = RunConfig(train_distribute=tf.distribute.get_strategy())
    config.mine = [1]
    changed = config.replace(tf_random_seed=1)
    assert changed.mine == [1]
    assert changed.mine is not config.mine
    assert changed.train_distribute is config.train_distribute
