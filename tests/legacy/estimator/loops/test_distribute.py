"""Tests of strategies in graph mode. The oracle and tests/cluster train under them."""

import concurrent.futures
import threading

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.loops import distribute
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


def test_a_strategy_is_as_it_was_after_training(tmp_path):
    strategy = tf1.distribute.OneDeviceStrategy("/cpu:0")
    config = estimator.RunConfig(str(tmp_path), train_distribute=strategy)
    one = estimator.Estimator(model_fn, config=config)
    assert one.config.train_distribute is strategy
    one.train(dataset, steps=1)
    assert not strategy._scale_loss_for_estimator


def test_strategies_have_a_counterpart_in_graph_mode():
    with tf.Graph().as_default():  # In a graph the devices are only names.
        given = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        found = distribute.in_graph_mode(given)
    assert isinstance(found, tf1.distribute.MirroredStrategy)
    assert found.num_replicas_in_sync == 2
    assert distribute.in_graph_mode(found) is found
    assert distribute.in_graph_mode(None) is None
    with pytest.raises(ValueError, match="cannot be used as train_distribute or eval_distribute"):
        distribute.in_graph_mode(tf.distribute.get_strategy())


def test_the_session_has_as_many_devices_as_the_strategy():
    with tf.Graph().as_default():
        strategy = tf1.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    given = tf1.ConfigProto(allow_soft_placement=True)
    found = distribute.session_config(strategy, given)
    assert (found.device_count["CPU"], found.allow_soft_placement) == (2, True)
    assert "CPU" not in given.device_count
    own = tf1.ConfigProto(device_count={"CPU": 4})
    assert distribute.session_config(strategy, own).device_count["CPU"] == 4


def test_two_threads_make_iterators_without_a_warning():
    """In standalone client mode each task is a thread. All warnings are errors here."""
    both_make, one_has_made = threading.Barrier(2, timeout=60), threading.Event()

    def make(dataset_fn):
        with tf.Graph().as_default(), tf1.Session():
            strategy = tf1.distribute.OneDeviceStrategy("/cpu:0")
            return distribute.make_iterator(strategy, dataset_fn)

    def first(context):
        both_make.wait()
        return dataset()

    def second(context):
        both_make.wait()
        assert one_has_made.wait(60)
        return dataset()

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        # The first one enters before the second one.
        begun = threading.Event()
        one = pool.submit(make, lambda context: (begun.set(), first(context))[1])
        assert begun.wait(60)
        other = pool.submit(make, second)
        one.result(60)
        one_has_made.set()
        other.result(60)
