"""Tests that bridged programs continue from an Estimator's checkpoint as the Estimator does."""

import importlib

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from migrate import bridge

PROGRAMS = (
    "bert_encoder",
    "contrib_cnn",
    "lstm_text",
    "resnet",
    "warm_start",
    "wide_deep_columns",
)
# Dropout would draw other masks. One encoder layer is as hard to bridge as two.
CHANGED = {"dropout_prob": 0.0, "keep_prob": 1.0, "num_hidden_layers": 1}


@pytest.fixture(params=PROGRAMS)
def both(request, tmp_path):
    """Returns an Estimator after six steps, and a bridged model that took the last three."""
    tf_keras.utils.set_random_seed(1)
    program = importlib.import_module(f"tests.migrate.programs.legacy_{request.param}")
    params = {key: CHANGED.get(key, value) for key, value in program.params.items()}
    config = tf_estimator.RunConfig(str(tmp_path / "estimator"), save_checkpoints_steps=3)
    estimator = tf_estimator.Estimator(program.model_fn, config=config, params=params)
    estimator.train(program.input_fn, max_steps=6)
    model = bridge.KerasModelFn(program.model_fn, params)
    model.load_estimator_checkpoint(f"{config.model_dir}/model.ckpt-3")
    model.fit(program.input_fn().skip(3), steps_per_epoch=3, verbose=0)
    return program, estimator, model


def test_it_trains_evaluates_and_saves_as_the_estimator_does(both, tmp_path):
    program, estimator, model = both
    found = model.evaluate(program.eval_input_fn(), verbose=0, return_dict=True)
    expected = estimator.evaluate(program.eval_input_fn)
    assert expected.pop("global_step") == int(model.global_step) == 6
    assert found == pytest.approx(expected, rel=1e-5)
    saved = tf.train.load_checkpoint(model.save_estimator_checkpoint(str(tmp_path / "model.ckpt")))
    other = tf.train.load_checkpoint(estimator.latest_checkpoint())
    shapes = other.get_variable_to_shape_map()
    assert saved.get_variable_to_shape_map() == shapes
    for name in shapes:
        np.testing.assert_allclose(
            saved.get_tensor(name), other.get_tensor(name), rtol=1e-4, atol=2e-6, err_msg=name
        )
    _check_export(program, model, tmp_path)
    _check_keras_file(model, tmp_path)
    _check_saved_model(model, tmp_path)


def _check_export(program, model, tmp_path):
    if not hasattr(program, "serving_input_receiver_fn"):
        return
    model.export(str(tmp_path / "export"), program.serving_input_receiver_fn)
    assert "serving_default" in tf.saved_model.load(str(tmp_path / "export")).signatures


def _check_keras_file(model, tmp_path):
    path = str(tmp_path / "model.keras")
    model.save(path)
    again = tf_keras.models.load_model(path)
    for name, variable in model.variables_by_name.items():
        np.testing.assert_array_equal(again.variables_by_name[name], variable, err_msg=name)


def _check_saved_model(model, tmp_path):
    path = str(tmp_path / "saved_model")
    model.save(path, save_format="tf")
    values = {value.name: value.numpy() for value in tf.saved_model.load(path).variables}
    for name, variable in model.variables_by_name.items():
        np.testing.assert_array_equal(values[name + ":0"], variable, err_msg=name)
