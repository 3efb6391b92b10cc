"""Tests of wide-and-deep models of the v2 API."""

import numpy as np
import pytest

from legacy import estimator
from tests.legacy.estimator.canned import models


@pytest.fixture(scope="module")
def regressor(tmp_path_factory):
    return estimator.DNNLinearCombinedRegressor(
        str(tmp_path_factory.mktemp("combined")),
        linear_feature_columns=[models.number(), models.word()],
        dnn_feature_columns=[models.number()],
        dnn_hidden_units=[3],
    ).train(models.input_fn, steps=2)


def test_one_optimizer_counts_the_steps(regressor):
    assert regressor.get_variable_value("global_step") == 2
    assert regressor.get_variable_value("training/Ftrl/iter") == 2
    assert "training/Adagrad/iter" not in regressor.get_variable_names()


def test_learning_rates(regressor):
    rates = [
        regressor.get_variable_value(f"training/{name}/learning_rate")
        for name in ("Ftrl", "Adagrad")
    ]
    assert rates == pytest.approx([0.005, 0.001])


def test_logits_add_up(regressor):
    weights = models.checkpoint(regressor.model_dir)
    expected = models.linear_logits(weights) + models.dnn_logits(weights)
    for logits, prediction in zip(expected, regressor.predict(models.input_fn), strict=False):
        np.testing.assert_allclose(prediction["predictions"], logits, rtol=1e-5)


def test_refused(tmp_path):
    for name in ("Classifier", "Regressor"):
        with pytest.raises(ValueError, match="Either linear_feature_columns or dnn_feature"):
            getattr(estimator, "DNNLinearCombined" + name)()
    model = estimator.DNNLinearCombinedClassifier(
        str(tmp_path), dnn_feature_columns=[models.number()]
    )
    with pytest.raises(ValueError, match="dnn_hidden_units must be defined"):
        model.train(models.input_fn, steps=1)
