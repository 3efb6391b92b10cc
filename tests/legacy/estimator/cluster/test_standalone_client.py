"""Tests of remote clusters that are refused. tests/cluster trains on remote servers."""

import portpicker
import pytest
import tensorflow as tf

from legacy import estimator
from legacy.contrib import distribute
from legacy.estimator.cluster import standalone_client
from tests.legacy.estimator import models

tf1 = tf.compat.v1


def config_for(cluster, strategy=None, **settings):
    strategy = strategy or tf1.distribute.experimental.MultiWorkerMirroredStrategy()
    remote = distribute.DistributeConfig(strategy, strategy, cluster)
    return estimator.RunConfig(experimental_distribute=remote, **settings)


def run(config):
    return standalone_client.run(
        estimator.Estimator(models.model_fn, config=config), "train", lambda local, chief: chief
    )


def test_a_config_names_a_remote_cluster():
    assert standalone_client.is_wanted(config_for({"worker": ["h:1"]}))
    assert not standalone_client.is_wanted(estimator.RunConfig())


def test_a_cluster_without_a_trainer():
    with pytest.raises(ValueError, match=r"has the jobs \['ps'\], and none of them trains"):
        run(config_for({"ps": ["h:1"]}))


def test_a_server_that_does_not_answer():
    address = f"localhost:{portpicker.pick_unused_port()}"
    config = config_for({"worker": [address]}, session_creation_timeout_secs=0.01)
    with pytest.raises(tf.errors.DeadlineExceededError, match=f"The servers {address} of remote"):
        run(config)


def test_methods_that_run_one_graph():
    with pytest.raises(ValueError, match="'evaluator' job is not supported"):
        standalone_client.check_one_graph(
            config_for({"worker": ["h:1"], "evaluator": ["h:2"]}), "train", "train"
        )
    with pytest.raises(ValueError, match=r"`Estimator\.evaluate` API is not supported"):
        standalone_client.check_one_graph(config_for({"worker": ["h:1"]}), "eval", "evaluate")
    mirrored = tf1.distribute.MirroredStrategy(["/cpu:0"])
    standalone_client.check_one_graph(config_for({"worker": ["h:1"]}, mirrored), "train", "train")
