"""Tests for the roles of tensors in an object-based checkpoint."""

import numpy as np
import pytest
import tensorflow as tf

from migrate.checkpoint import open_source
from modern.jobs import wide_deep
from modern.model_files import keras3_objects
from modern.process import chosen_keras
from modern.process.chosen_keras import keras

if chosen_keras.version() == 2:
    from legacy.estimator.keras import keras_model


def test_state_of_variables_that_share_a_name_is_no_variable(tmp_path):
    pair = [tf.Variable([1.0], name="w"), tf.Variable([2.0], name="w")]
    optimizer = keras.optimizers.Adam()
    optimizer.build(pair)
    path = tf.train.Checkpoint(v=pair, optimizer=optimizer).write(str(tmp_path / "ckpt"))
    found = open_source(path)
    assert [one.name for one in found.of("variable")] == ["v/0", "v/1"]
    assert [one.owner for one in found.of("slot")] == [""] * 4


def test_the_step_of_a_keras_model_that_an_estimator_trained(tmp_path):
    model = keras.Sequential([keras.layers.Dense(1, input_shape=[2], name="dense")])
    model.compile(keras.optimizers.legacy.SGD(0.1), "mse")
    job = keras_model.model_to_estimator(model, model_dir=str(tmp_path))
    x = np.ones([4, 2], np.float32)
    job.train(lambda: tf.data.Dataset.from_tensors(({"dense_input": x}, x[:, :1])).repeat(3))
    found = open_source(tf.train.latest_checkpoint(str(tmp_path)))
    assert found.step() == 3
    assert [one.name for one in found.of("variable")] == ["dense/kernel", "dense/bias"]


@pytest.mark.keras(3)
def test_a_checkpoint_of_names_has_the_slots_of_each_layers_optimizer(tmp_path):
    model = wide_deep.build_model()
    model.compile(wide_deep.make_optimizer(0.1), wide_deep.make_loss())
    path = tf.train.Checkpoint(**keras3_objects.of(model)).write(str(tmp_path / "ckpt"))
    with open_source(path) as source:
        slots = {(one.owner, one.kind, one.slot) for one in source.of("slot")}
        weights = {one.name for one in source.of("variable")}
        steps = [one.key.partition("/.")[0] for one in source.of("step")]
    assert {
        ("deep/hidden_0/kernel", "Adagrad", "accumulator"),
        ("wide/bias", "Ftrl", "linear"),
    } <= slots
    assert {owner for owner, _, _ in slots} == weights
    assert sorted(steps) == ["optimizer/deep.Siteration", "optimizer/wide.Siteration"]


def test_a_loop_with_its_own_iteration_keeps_its_weights(tmp_path):
    module = tf.Module()
    module.w = tf.Variable([1.0, 2.0], name="w")
    checkpoint = tf.train.Checkpoint(net=module, iteration=tf.Variable(3, dtype=tf.int64))
    with open_source(checkpoint.write(str(tmp_path / "ckpt"))) as source:
        assert [one.name for one in source.of("variable")] == ["w"]
        assert source.step() == 3
