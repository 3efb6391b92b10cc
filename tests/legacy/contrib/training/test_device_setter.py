"""Tests of the choice of a parameter server."""

import pytest
import tensorflow as tf

from legacy.contrib import training

tf1 = tf.compat.v1


def tasks(strategy, *sizes):
    setter = tf1.train.replica_device_setter(ps_tasks=3, ps_strategy=strategy)
    with tf.Graph().as_default(), tf1.device(setter):
        made = [tf1.get_variable(f"v{i}", [size]) for i, size in enumerate(sizes)]
    return [tf1.DeviceSpec.from_string(each.device).task for each in made]


def test_the_least_loaded_server_is_chosen():
    strategy = training.GreedyLoadBalancingStrategy(3, training.byte_size_load_fn)
    assert tasks(strategy, 100, 10, 50, 30, 30) == [0, 1, 2, 1, 1]


def test_all_processes_agree_on_a_random_choice():
    sizes = [1] * 20
    first, again, other = (tasks(training.RandomStrategy(3, seed), *sizes) for seed in (0, 0, 1))
    assert first == again != other
    assert set(first) == {0, 1, 2}


def test_the_size_is_in_bytes():
    with tf.Graph().as_default():
        assert training.byte_size_load_fn(tf.zeros([2, 3], tf.float64).op) == 48
        assert training.byte_size_load_fn(tf1.get_variable("v", [2, 3]).op) == 24
        with pytest.raises(ValueError, match="must have a single output"):
            training.byte_size_load_fn(tf.no_op())
