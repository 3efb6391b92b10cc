"""Tests of decisions of all workers. tests/cluster/test_modern_interrupted.py has several."""

import numpy as np
import pytest
import tensorflow as tf

from modern.training.agreement import Agreement


def test_without_workers_nothing_is_exchanged():
    agreement = Agreement(tf.distribute.MirroredStrategy(["CPU:0"]))
    assert not agreement.is_needed
    assert agreement.any_of([False, True]) == [False, True]


@pytest.mark.parametrize("value", [3, 2**40])
def test_values_of_one_synchronous_worker_go_through_its_strategy(value):
    agreement = Agreement(tf.distribute.MultiWorkerMirroredStrategy())
    assert agreement.is_needed
    found = agreement.of_all([value, 0])
    np.testing.assert_array_equal(found, [[value, 0]])
    assert found.dtype == np.int64
    assert agreement.any_of([True, False]) == [True, False]
