"""Test of the collections of metrics."""

import pytest
import tensorflow as tf

from legacy.contrib.metrics import collecting


@pytest.mark.usefixtures("session")
def test_values_and_updates_have_their_collections():
    value, update = tf.constant(1.0), tf.no_op()
    assert collecting.collect(value, update, ["values", "all"], None) == (value, update)
    collecting.collect(value, update, None, ["all"])
    assert tf.compat.v1.get_collection("values") == [value]
    assert tf.compat.v1.get_collection("all") == [value, update]
