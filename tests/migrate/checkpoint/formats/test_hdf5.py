"""Tests for files of Keras, whole and cut off."""

import os

import numpy as np
import pytest
import tf_keras

from migrate.checkpoint import open_source
from modern.process import cli
from tests.migrate.checkpoint import damage


@pytest.mark.parametrize("name", ["m.h5", "m.weights.h5", "m.keras"])
@pytest.mark.filterwarnings("ignore:You are saving:UserWarning")
def test_a_file_of_keras_that_is_cut_off_is_named(name, tmp_path):
    layers = [tf_keras.layers.Input((3,)), tf_keras.layers.Dense(2)]
    model, path = tf_keras.Sequential(layers), str(tmp_path / name)
    model.save_weights(path) if "weights" in name else model.save(path)
    open_source(path).close()
    if name == "m.keras":  # the only format of the three with a checksum
        damage.flip(path, os.path.getsize(path) // 2)
        with pytest.raises(cli.UsageError, match=f"{name} is damaged"):
            open_source(path)
    damage.cut(path, os.path.getsize(path) // 2)
    with pytest.raises(cli.UsageError, match=f"{name} is damaged or cut off"):
        open_source(path)


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("optimizer", ["Adam", "RMSprop", "SGD"])
def test_files_of_keras_3_are_read_with_the_names_of_layers_and_slots(optimizer, tmp_path):
    import keras

    model = keras.Sequential(
        [keras.layers.Input((4,)), keras.layers.Dense(3, name="a"), keras.layers.Dense(1, name="b")]
    )
    settings = {} if optimizer == "Adam" else {"momentum": 0.5}
    model.compile(getattr(keras.optimizers, optimizer)(**settings), "mse")
    model.optimizer.build(model.trainable_variables)
    first = model.optimizer.variables[2]  # the first two are iterations and learning rate
    first.assign(np.full(first.shape, 5.0))
    model.save(tmp_path / "m.keras")
    with open_source(str(tmp_path / "m.keras")) as source:
        assert [one.name for one in source.of("variable")] == [
            "a/kernel", "a/bias", "b/kernel", "b/bias",
        ]  # fmt: skip
        slot = next(source.of("slot"))
        expected = {"Adam": ("Adam", "m"), "RMSprop": ("RMSProp", "rms")}
        assert slot.owner == "a/kernel"
        assert (slot.kind, slot.slot) == expected.get(optimizer, ("Momentum", "momentum"))
        np.testing.assert_array_equal(source.read(slot), np.full((4, 3), 5.0))
        assert source.step() == 0
