"""Tests for the models that a conversion builds, with tf_keras and with Keras 3."""

import numpy as np
import pytest

from migrate.checkpoint.conversion import models
from modern.process import chosen_keras, cli
from modern.process.chosen_keras import keras
from tests.migrate.checkpoint import twin_port

PORT = "tests.migrate.checkpoint.twin_port"
MODEL = models.Model(f"{PORT}:build_model")
BOTH = pytest.mark.keras(2, 3)
HEAD = {("head/kernel", "m"), ("head/kernel", "v")}


def slots_of(source):
    return {(tensor.owner, tensor.slot) for tensor in source.of("slot")}


def first_slot(source):
    return next(tensor for tensor in source.of("slot") if tensor.owner == "head/kernel")


@BOTH
@pytest.mark.parametrize("kind", ["object-based", "weights.h5", "keras"])
def test_a_model_gives_a_template_with_slots(kind, tmp_path):
    with models.template(MODEL, kind, str(tmp_path)) as template:
        assert template.kind == kind
        assert template.step() == 0
        if kind == "weights.h5" and chosen_keras.version() == 2:
            return  # Its layers are numbered by class.
        assert {"head/kernel", "norm/moving_mean"} <= {t.name for t in template.of("variable")}
        assert slots_of(template) >= HEAD
        np.testing.assert_array_equal(template.read(first_slot(template)), np.zeros((8, 1)))


def test_a_legacy_optimizer_creates_its_slots(tmp_path):
    model = models.Model(f"{PORT}:build_legacy")
    with models.template(model, "object-based", str(tmp_path)) as template:
        assert slots_of(template) >= HEAD
        assert template.step() == 0


@pytest.mark.keras(3)
def test_keras_3_has_no_saved_model_to_train(tmp_path):
    with pytest.raises(cli.UsageError, match=r"write a \.keras file"):
        models.template(MODEL, "SavedModel", str(tmp_path))


@pytest.fixture
def saved(tmp_path):
    """Returns a model after one step, and the file of its weights."""
    model = twin_port.build_model()
    model.train_on_batch(twin_port.FEATURES, twin_port.LABELS)
    path = str(tmp_path / "m.weights.h5")
    model.save_weights(path)
    return model, path


@BOTH
def test_numbered_slots_get_the_names_of_the_model(saved):
    model, path = saved
    with models.open_numbered(MODEL, path) as source:
        assert source.step() == 1
        assert slots_of(source) >= HEAD
        found = source.read(first_slot(source))
    (expected,) = (
        variable.numpy()
        for variable in model.optimizer.variables
        if variable.name.removesuffix(":0") in ("Adam/m/head/kernel", "head_kernel_momentum")
    )
    np.testing.assert_array_equal(found, expected)


def build_without_momentum():
    return twin_port.build_model(keras.optimizers.Adagrad())


@BOTH
def test_a_model_that_did_not_save_the_file_is_refused(saved, tmp_path):
    _, path = saved
    other = models.Model(f"{__name__}:build_without_momentum")
    with pytest.raises(cli.UsageError, match="has another optimizer than .* Give the model that"):
        models.open_numbered(other, path)
    with pytest.raises(cli.UsageError, match="OLD must be a .weights.h5 file"):
        models.open_numbered(MODEL, str(tmp_path / "m.keras"))


class Pure(keras.layers.Layer):
    def build(self, shape):
        self.first = self.add_weight(name="w")
        self.second = self.add_weight(name="w")

    def call(self, x):
        return x * self.first + self.second


def build_with_equal_names():
    model = keras.Sequential([keras.Input((2,)), Pure(name="pure")])
    model.compile("sgd", "mse")
    return model


@pytest.mark.keras(3)
def test_two_weights_of_one_name_are_refused_in_a_checkpoint(tmp_path):
    spec = models.Model(f"{__name__}:build_with_equal_names")
    with pytest.raises(cli.UsageError, match="2 weights of the model have the name pure/w"):
        models.template(spec, "object-based", str(tmp_path))


def test_a_legacy_optimizer_has_no_state_in_the_file(tmp_path):
    model = twin_port.build_legacy()
    path = str(tmp_path / "m.weights.h5")
    model.save_weights(path)
    with models.open_numbered(models.Model(f"{PORT}:build_legacy"), path) as source:
        assert not slots_of(source)
