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


@BOTH
def test_a_model_of_keras_is_no_name_based_checkpoint(tmp_path):
    with pytest.raises(cli.UsageError, match="no name-based checkpoint"):
        models.template(MODEL, "name-based", str(tmp_path))


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
    with pytest.raises(cli.UsageError, match="give the model that saved the file"):
        models.open_numbered(other, path)
    with pytest.raises(cli.UsageError, match="has the names of its variables"):
        models.open_numbered(MODEL, str(tmp_path / "m.keras"))
