"""Tests that RunConfig has the properties and errors of tf.estimator in TensorFlow 2.15."""

import pytest
import tensorflow as tf

from legacy.estimator import RunConfig
from tests.legacy.estimator.clusters import CLUSTER


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
