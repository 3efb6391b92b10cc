"""Test of an Estimator in the interface of scikit-learn."""

import numpy as np
import pytest

from legacy.contrib import learn


def test_streams_of_examples(estimator):
    def stream():
        return iter(np.eye(2)[i % 2] for i in range(10)), iter(float(i % 2) for i in range(10))

    learn.SKCompat(estimator).fit(*stream(), batch_size=4)
    assert estimator.get_variable_value("global_step") == 3
    x, _ = stream()
    assert learn.SKCompat(estimator).predict(x, batch_size=4).shape == (10,)
    with pytest.raises(ValueError, match="Both x and y should be iterators"):
        estimator.fit(x=stream()[0], y=np.zeros(3), batch_size=1, steps=1)
