"""Tests of sums of gradients over replicas."""

import json
import os
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.optimizers import chosen, replica_sums
from tests.cluster.trainings import ENV

pytestmark = pytest.mark.keras(2, 3)


@pytest.mark.parametrize(
    "make", [tf.distribute.get_strategy, lambda: tf.distribute.MirroredStrategy(["CPU:0"])]
)
def test_one_replica_has_its_own_gradients(make):
    strategy = make()
    with strategy.scope():
        weight = tf.Variable([1.0])
        optimizer = chosen.SGD(1.0)

    @tf.function
    def step():
        def of_replica():
            sums = replica_sums.of([tf.constant([0.25])])
            halves = replica_sums.map_sums(lambda sums: [one / 2 for one in sums], sums)
            replica_sums.apply(optimizer, halves, [weight])
            return sums[0]

        return strategy.run(of_replica)

    assert step().numpy().tolist() == [0.25]
    assert weight.numpy().tolist() == [0.875]


@pytest.mark.parametrize("kind", ["mirrored", "parameter_server"])
def test_replicas_have_the_same_sums_which_move_a_weight_once(kind):
    done = subprocess.run(
        [sys.executable, "-m", "tests.modern.optimizers.summed_replicas", kind],
        env=os.environ | ENV,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    sums, weight = json.loads(done.stdout)
    # The replicas have the gradients 1 and 2. TensorFlow returns one sum if it is the same object.
    assert len(sums) == (2 if kind == "mirrored" else 1)
    assert {tuple(one) for one in sums} == {(3.0, 3.0)}
    assert weight == [10.0 - 2 * 3.0] * 2
