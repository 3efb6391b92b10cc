"""Tests for the export of a bridged model."""

import numpy as np
import pytest
import tensorflow as tf

from migrate import bridge
from tests.migrate.bridge import small


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


def test_needs_a_receiver_for_features_that_are_not_known(tmp_path):
    model = bridge.KerasModelFn(small.model_fn, {})
    with pytest.raises(bridge.BridgeError, match="features are not known yet"):
        model.export(str(tmp_path / "1"))
    assert not list(tmp_path.iterdir())
