"""Tests that a model_fn sees the same strategy in each mode as under an Estimator."""

import json
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from migrate.bridge.graphs import contexts

# [caller, has a strategy, in cross-replica context, replicas in sync, replica ID].
_ALONE = [["eval", False, False, 1, 0], ["infer", False, False, 1, 0]]


def _branching(way):
    command = [sys.executable, "-m", "tests.migrate.bridge.branching", way]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def found():
    return _branching("others") | _branching("parameter_server")


@pytest.mark.parametrize("way", ["single", "mirrored", "multi_worker_mirrored", "parameter_server"])
def test_evaluations_predictions_and_exports_take_the_estimator_s_branches(found, way):
    numbers, expected, seen, *_ = found[way]
    assert numbers[0] == pytest.approx(expected[0], rel=1e-5)
    for one, other in zip(numbers[1:], expected[1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
    assert [one for one in seen if one[0] in ("eval", "infer")] == _ALONE


@pytest.mark.parametrize("way", ["single", "mirrored"])
def test_a_training_has_the_contexts_of_an_estimator_with_the_strategy(found, way):
    *_, seen, by_estimator = found[way]
    assert [one for one in seen if one not in _ALONE] == by_estimator


@pytest.mark.parametrize("way", ["multi_worker_mirrored", "parameter_server"])
def test_a_training_by_a_cluster_is_in_a_replica(found, way):
    *_, seen = found[way]
    assert [one for one in seen if one[0] == "train"] == [["train", True, False, 1, 0]]


def test_contexts_are_left_as_they_were():
    strategy = tf.distribute.MirroredStrategy(["cpu:0"])
    with strategy.scope():
        with contexts.no_strategy():
            assert not tf.distribute.has_strategy()
            assert tf.distribute.get_replica_context().replica_id_in_sync_group == 0
        assert tf.distribute.get_strategy() is strategy
        assert tf.distribute.in_cross_replica_context()
    with tf.Graph().as_default(), contexts.of_blueprint("train", strategy):
        assert isinstance(tf.distribute.get_strategy(), tf.distribute.MirroredStrategy)
        context = tf.distribute.get_replica_context()
        value = context.all_reduce(tf.distribute.ReduceOp.SUM, tf.constant(2.0))
        with tf.compat.v1.Session() as session:
            assert session.run(value) == 2  # This replica is the only one.
    assert not tf.distribute.has_strategy()
