"""Test of the parameters of an Estimator."""

import pytest

from legacy.contrib import learn


def test_parameters_as_scikit_learn_sets_them():
    estimator = learn.Estimator(lambda features, labels, params: None, params={"a": 1})
    assert estimator.get_params()["params"] == {"a": 1}
    assert estimator.set_params(params={"a": 2}).params == {"a": 2}
    with pytest.raises(ValueError, match="Invalid parameter other"):
        estimator.set_params(other=1)
