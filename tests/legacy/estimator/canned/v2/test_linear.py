"""Tests of linear models of the v2 API."""

import numpy as np
import pytest

from legacy import estimator
from legacy.estimator.canned.v2 import linear
from tests.legacy.estimator.canned import models


@pytest.fixture(scope="module")
def regressor(tmp_path_factory):
    columns = [models.number(), models.word()]
    folder = str(tmp_path_factory.mktemp("linear"))
    return estimator.LinearRegressor(columns, folder).train(models.input_fn, steps=3)


def test_variables(regressor):
    shapes = models.shapes(regressor.model_dir)
    assert shapes["linear/linear_model/x/weights"] == [2, 1]
    assert shapes["linear/linear_model/word/weights"] == [2, 1]
    assert shapes["linear/linear_model/bias_weights"] == [1]
    assert shapes["training/Ftrl/linear/linear_model/word/weights/accumulator"] == [2, 1]
    rate = regressor.get_variable_value("training/Ftrl/learning_rate")
    assert rate == pytest.approx(0.2)


def test_predictions(regressor):
    expected = models.linear_logits(models.checkpoint(regressor.model_dir))
    for logits, prediction in zip(expected, regressor.predict(models.input_fn), strict=False):
        np.testing.assert_allclose(prediction["predictions"], logits, rtol=1e-5)


def test_warm_start(regressor, tmp_path):
    columns = [models.number(), models.word()]
    model = estimator.LinearRegressor(
        columns, str(tmp_path), optimizer="SGD", warm_start_from=regressor.model_dir
    )
    model.train(models.input_fn, steps=1)
    before = estimator.LinearRegressor(columns, regressor.model_dir).evaluate(models.input_fn, 1)
    after = model.evaluate(models.input_fn, 1)
    assert after["loss"] < before["loss"] * 1.5  # Without a warm start it is much higher.
    assert after["global_step"] == 1


def test_default_learning_rate():
    assert linear.default_learning_rate(4) == 0.2
    assert linear.default_learning_rate(100) == pytest.approx(0.1)
    assert linear.default_learning_rate(4, limit=0.005) == 0.005
