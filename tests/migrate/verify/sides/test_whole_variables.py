"""Tests for the joined parts of partitioned variables."""

import numpy as np
import pytest
import tensorflow as tf

from migrate.verify.sides import whole_variables

tf1 = tf.compat.v1


@pytest.mark.parametrize("part_rows", [None, 2])
def test_joins_and_cuts_partitioned_variables(part_rows):
    with tf.Graph().as_default():
        partitioner = tf1.fixed_size_partitioner(part_rows) if part_rows else None
        tf1.get_variable("t", [5, 2], partitioner=partitioner)
        found = whole_variables.join(tf1.global_variables())

    value = np.arange(10.0).reshape(5, 2)
    assert found["t"].shape == (5, 2)
    np.testing.assert_array_equal(found["t"].join_values(found["t"].pieces(value)), value)
