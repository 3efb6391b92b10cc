"""Tests for checkpoints of Estimators that a bridged model reads and writes."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small


def test_a_checkpoint_of_another_model_is_refused(tmp_path):
    def other_model_fn(features, labels, mode):
        return small.spec_of_one_weight()

    estimator = tf_estimator.Estimator(other_model_fn, str(tmp_path))
    estimator.train(small.input_fn, steps=1)
    model = small.build(small.model_fn, params={})
    before = model.get_weights()
    with pytest.raises(bridge.BridgeError, match="has no dense/bias.*of another model_fn"):
        model.load_estimator_checkpoint(str(tmp_path))
    for one, other in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(bridge.BridgeError, match="has no checkpoint"):
        model.load_estimator_checkpoint(str(tmp_path / ".."))


def test_a_checkpoint_with_a_relative_name_is_found_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = bridge.KerasModelFn(small.model_fn, {})
    model.fit(small.input_fn(), verbose=0)
    saved = model.save_estimator_checkpoint("new/model.ckpt")
    assert tf.train.latest_checkpoint("new") == saved
    assert tf.train.latest_checkpoint(str(tmp_path / "new")) == str(tmp_path / saved)
