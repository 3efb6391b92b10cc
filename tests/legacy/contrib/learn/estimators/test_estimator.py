"""Test of contrib.learn's Estimator that is not compared with the original."""

import numpy as np
import pytest


def test_input_of_another_shape_is_refused(estimator):
    estimator.fit(x=np.ones([4, 2]), y=np.ones(4), steps=1)
    with pytest.raises(ValueError, match="Features are incompatible"):
        estimator.evaluate(x=np.ones([4, 3]), y=np.ones(4), steps=1)
