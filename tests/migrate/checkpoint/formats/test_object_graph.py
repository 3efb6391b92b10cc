"""Tests for the roles of tensors in an object-based checkpoint."""

import numpy as np
import tensorflow as tf
import tf_keras

from legacy.estimator.keras import keras_model
from migrate.checkpoint import open_source


def test_state_of_variables_that_share_a_name_is_no_variable(tmp_path):
    pair = [tf.Variable([1.0], name="w"), tf.Variable([2.0], name="w")]
    optimizer = tf_keras.optimizers.Adam()
    optimizer.build(pair)
    path = tf.train.Checkpoint(v=pair, optimizer=optimizer).write(str(tmp_path / "ckpt"))
    found = open_source(path)
    assert [one.name for one in found.of("variable")] == ["v/0", "v/1"]
    assert [one.owner for one in found.of("slot")] == [""] * 4


def test_the_step_of_a_keras_model_that_an_estimator_trained(tmp_path):
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=[2], name="dense")])
    model.compile(tf_keras.optimizers.legacy.SGD(0.1), "mse")
    job = keras_model.model_to_estimator(model, model_dir=str(tmp_path))
    x = np.ones([4, 2], np.float32)
    job.train(lambda: tf.data.Dataset.from_tensors(({"dense_input": x}, x[:, :1])).repeat(3))
    found = open_source(tf.train.latest_checkpoint(str(tmp_path)))
    assert found.step() == 3
    assert [one.name for one in found.of("variable")] == ["dense/kernel", "dense/bias"]
