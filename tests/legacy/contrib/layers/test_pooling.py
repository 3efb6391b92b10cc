"""Test of pooling that the oracle does not cover."""

import numpy as np
import tensorflow as tf

from legacy.contrib import layers


def test_pool_takes_any_number_of_dimensions():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        line = tf.constant(np.arange(6.0).reshape(1, 6, 1))
        found = session.run(layers.pool(line, 2, "MAX", stride=2))
        assert found[0, :, 0].tolist() == [1, 3, 5]
        dilated = session.run(layers.pool(line, [2], "AVG", dilation_rate=2))
        assert dilated[0, :, 0].tolist() == [1, 2, 3, 4]
