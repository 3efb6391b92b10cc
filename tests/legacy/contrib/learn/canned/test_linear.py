"""Test of linear models that SDCA cannot train."""

import pytest

from legacy.contrib import learn, linear_optimizer
from tests.legacy.contrib.learn.canned.models import X


def test_sdca_says_what_it_cannot_train(tmp_path, caplog):
    sdca = linear_optimizer.SDCAOptimizer("id")
    with pytest.raises(AssertionError, match="n_classes=3"):
        learn.LinearClassifier(X, n_classes=3, optimizer=sdca)
    with pytest.raises(ValueError, match="does not support SDCA"):
        learn.LinearEstimator(X, learn.regression_head(), optimizer=sdca)
    learn.LinearRegressor(X, str(tmp_path), optimizer=sdca, enable_centered_bias=True)
    assert "SDCA trains no centered bias" in caplog.text
