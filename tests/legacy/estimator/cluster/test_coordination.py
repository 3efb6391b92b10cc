"""Tests of trainings that coordinate with no other task. tests/cluster runs clusters."""

import pytest
import tensorflow as tf

from legacy.estimator import RunConfig
from legacy.estimator.cluster import coordination
from tests.legacy.estimator.clusters import place


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
