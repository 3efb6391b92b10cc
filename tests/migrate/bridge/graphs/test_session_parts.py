"""Tests for the parts of a model_fn that need a session."""

import pytest
import tensorflow.compat.v1 as tf

from migrate import bridge
from tests.migrate.bridge import small


def test_files_in_a_step_are_found():
    def model_fn(features, labels, mode):
        if tf.get_default_graph().building_function:
            tf.raw_ops.SaveV2(
                prefix="x", tensor_names=["a"], shape_and_slices=[""], tensors=[labels]
            )
        return small.spec_of_one_weight()

    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match="creates a SaveV2.*test_session_parts.py, line"):
        model.fit(*small.data(), verbose=0)
