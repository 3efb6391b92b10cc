"""Tests for files of Keras that a bridged model writes."""

import numpy as np
import pytest
import tensorflow as v2
import tf_keras

from migrate import bridge
from tests.migrate.bridge import small


@pytest.mark.parametrize("ending", ["", ".h5"])
def test_weights_are_saved_and_loaded(ending, tmp_path):
    model = bridge.KerasModelFn(small.model_fn, {})
    model.fit(*small.data(), verbose=0)
    before = {name: v.numpy() for name, v in model.variables_by_name.items()}
    model.save_weights(str(tmp_path / "weights") + ending)
    model.fit(*small.data(), verbose=0)
    model.load_weights(str(tmp_path / "weights") + ending)
    for name, value in before.items():
        np.testing.assert_array_equal(model.variables_by_name[name], value, err_msg=name)


@pytest.mark.parametrize("kind", ["model.keras", "checkpoint"])
def test_training_goes_on_with_the_optimizers_state(kind, tmp_path):
    model = bridge.KerasModelFn(small.model_fn, {})
    model.fit(small.input_fn(), verbose=0)
    if kind == "checkpoint":
        path = v2.train.Checkpoint(model=model).save(str(tmp_path / kind))
        again = bridge.KerasModelFn(small.model_fn, {})
        again.build_on(*small.data())
        v2.train.Checkpoint(model=again).restore(path).assert_consumed()
    else:
        model.save(str(tmp_path / kind))
        again = tf_keras.models.load_model(str(tmp_path / kind))
    for one in (model, again):
        one.fit(small.input_fn(), verbose=0)
    for name, variable in model.variables_by_name.items():
        np.testing.assert_allclose(again.variables_by_name[name], variable, atol=1e-6, err_msg=name)
