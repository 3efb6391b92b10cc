"""Tests of wide-and-deep models of the v1 API."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator
from tests.legacy.estimator.canned import models

tf1 = tf.compat.v1


@pytest.fixture(scope="module")
def regressor(tmp_path_factory):
    return estimator.DNNLinearCombinedRegressor(
        str(tmp_path_factory.mktemp("combined")),
        linear_feature_columns=[models.number(), models.word()],
        dnn_feature_columns=[models.number()],
        dnn_hidden_units=[3],
        dnn_optimizer=lambda: tf1.train.MomentumOptimizer(0.01, 0.9),
    ).train(models.input_fn, steps=2)


def test_each_side_has_its_optimizer_and_a_step_is_counted_once(regressor):
    assert regressor.get_variable_value("global_step") == 2
    names = regressor.get_variable_names()
    slots = [name for name in names if name.endswith(("Momentum", "Ftrl", "Ftrl_1"))]
    assert slots == [
        "dnn/hiddenlayer_0/bias/Momentum",
        "dnn/hiddenlayer_0/kernel/Momentum",
        "dnn/logits/bias/Momentum",
        "dnn/logits/kernel/Momentum",
        *(
            f"linear/linear_model/{name}/Ftrl{which}"
            for name in ("bias_weights", "word/weights", "x/weights")
            for which in ("", "_1")
        ),
    ]


def test_logits_add_up(regressor):
    weights = models.checkpoint(regressor.model_dir)
    expected = models.linear_logits(weights) + models.dnn_logits(weights)
    for logits, prediction in zip(expected, regressor.predict(models.input_fn), strict=False):
        np.testing.assert_allclose(prediction["predictions"], logits, rtol=1e-5)


def test_sync_replicas_is_refused(tmp_path):
    optimizer = tf1.train.SyncReplicasOptimizer(tf1.train.GradientDescentOptimizer(0.1), 1, 1)
    model = estimator.DNNLinearCombinedClassifier(
        str(tmp_path), linear_feature_columns=[models.number()], linear_optimizer=optimizer
    )
    with pytest.raises(ValueError, match="SyncReplicasOptimizer does not support multi optimizers"):
        model.train(models.input_fn, steps=1)
