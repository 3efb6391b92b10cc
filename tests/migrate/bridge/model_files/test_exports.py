"""Tests for the export of a bridged model."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from migrate import bridge
from tests.migrate.bridge import small

tf1 = tf.compat.v1


def test_serves_the_predictions_of_the_model(tmp_path):
    model = small.build(small.model_fn, params={})
    features = small.data()[0]
    expected = model.predict(features, verbose=0)["outputs"]
    model.export(str(tmp_path / "1"))

    signature = tf.saved_model.load(str(tmp_path / "1")).signatures["serving_default"]
    found = signature(x=tf.constant(features["x"][:3]))
    np.testing.assert_allclose(found["outputs"], expected[:3], rtol=1e-6)
    with pytest.raises(bridge.BridgeError, match="is there already"):
        model.export(str(tmp_path / "1"))


def _regression(features, labels, mode):
    out = tf1.layers.dense(features["x"], 1)[:, 0]
    exports = {
        "serving_default": estimator.export.RegressionOutput(out),
        "all": estimator.export.PredictOutput({"out": out}),
    }
    if labels is None:
        return estimator.EstimatorSpec(mode, {"out": out}, export_outputs=exports)
    loss = tf1.losses.mean_squared_error(labels, out)
    optimizer = tf1.train.GradientDescentOptimizer(0.1)
    train_op = optimizer.minimize(loss, tf1.train.get_global_step())
    return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def _data():
    x = np.ones([4, 2], np.float32)
    return tf.data.Dataset.from_tensors(({"x": x}, x[:, 0]))


def test_inputs_of_a_regression_have_the_names_of_an_estimator(tmp_path):
    receiver_fn = estimator.export.build_parsing_serving_input_receiver_fn(
        {"x": tf.io.FixedLenFeature([2], tf.float32)}
    )
    old = estimator.Estimator(_regression, str(tmp_path / "model")).train(_data, steps=1)
    model = bridge.KerasModelFn(_regression)
    model.fit(_data(), verbose=0)
    model.export(str(tmp_path / "new"), receiver_fn)
    exported = old.export_saved_model(str(tmp_path / "old"), receiver_fn).decode()
    before, after = (_inputs(path) for path in (exported, str(tmp_path / "new")))
    assert before == after == {"serving_default": ["inputs"], "all": ["examples"]}


def _inputs(path):
    signatures = tf.saved_model.load(path).signatures
    return {key: [*one.structured_input_signature[1]] for key, one in signatures.items()}


def test_needs_a_receiver_for_features_that_are_not_known(tmp_path):
    model = bridge.KerasModelFn(small.model_fn, {})
    with pytest.raises(bridge.BridgeError, match="features are not known yet"):
        model.export(str(tmp_path / "1"))
    assert not list(tmp_path.iterdir())
