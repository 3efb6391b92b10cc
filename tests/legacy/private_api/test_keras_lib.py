"""Test of the differences between the private model_to_estimator and the public ones."""

import pytest
import tensorflow as tf

from legacy.estimator.estimator import EstimatorV2
from legacy.private_api import keras_lib


@pytest.mark.parametrize("use_v2", [False, True])
def test_class_and_checkpoint_format(tmp_path, use_v2):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
    model.compile(tf.keras.optimizers.legacy.SGD(), "mse")
    estimator = keras_lib.model_to_estimator(
        model, model_dir=str(tmp_path), use_v2_estimator=use_v2
    )
    assert isinstance(estimator, EstimatorV2) == use_v2
    names = [name for name, _ in tf.train.list_variables(str(tmp_path / "keras"))]
    assert "_CHECKPOINTABLE_OBJECT_GRAPH" in names
