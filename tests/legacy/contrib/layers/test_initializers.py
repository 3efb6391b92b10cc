"""Tests of the variance of initial weights."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers


@pytest.mark.parametrize(
    ("mode", "count"), [("FAN_IN", 9 * 40), ("FAN_OUT", 9 * 60), ("FAN_AVG", 9 * 50)]
)
@pytest.mark.parametrize("uniform", [False, True])
def test_the_variance_is_by_the_inputs_or_outputs_of_a_window(mode, count, uniform):
    make = layers.variance_scaling_initializer(2.0, mode, uniform, seed=1)
    found = make([3, 3, 40, 60]).numpy()
    assert found.var() == pytest.approx(2.0 / count, rel=0.03)
    limit = np.sqrt(3 * 2.0 / count) if uniform else 2 * np.sqrt(1.3 * 2.0 / count)
    assert 0.95 * limit < abs(found).max() <= limit


def test_what_is_refused():
    with pytest.raises(TypeError, match="Unknown mode FAN"):
        layers.variance_scaling_initializer(mode="FAN")
    with pytest.raises(TypeError, match="non-floating point type"):
        layers.xavier_initializer(dtype=tf.int32)
