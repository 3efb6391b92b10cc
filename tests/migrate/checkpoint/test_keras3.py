"""Tests that an Estimator's training goes on in Keras 3, from files of each kind, and back."""

import numpy as np
import pytest
import tensorflow as tf

from migrate import __main__ as migrate
from migrate.checkpoint import open_source
from modern.model_files import keras3_objects
from modern.process.chosen_keras import keras
from tests.migrate.checkpoint import twin_port
from tests.modern import programs

pytestmark = pytest.mark.keras(3)
KINDS = ("m.weights.h5", "m.keras", "ckpt/model")
MODEL = ["--model=tests.migrate.checkpoint.twin_port:build_model", "--keras=3"]


def train_estimators(steps, *folders):
    """Trains further in each folder, and returns the loss of an evaluation after that."""
    program = "tests.migrate.checkpoint.twin_training"
    return programs.printed_by(program, str(steps), *map(str, folders))


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """Returns the checkpoint of an Estimator after 3 steps."""
    folder = tmp_path_factory.mktemp("estimator")
    train_estimators(3, folder)
    return str(folder / "model.ckpt-3")


@pytest.fixture(scope="module")
def expected(old, tmp_path_factory):
    """Returns the loss of an evaluation after 3 more steps of the Estimator."""
    folder = tmp_path_factory.mktemp("further")
    assert migrate.main(["checkpoint", "convert", old, f"--output={folder}/model.ckpt-3"]) == 0
    return train_estimators(3, folder)[0]


def convert(*arguments):
    assert migrate.main(["checkpoint", "convert", *arguments]) == 0


def load(path):
    """Loads a model as a program of Keras 3 does."""
    if path.endswith(".keras"):
        return keras.saving.load_model(path)
    model = twin_port.build_model()
    model.optimizer.build(model.trainable_variables)
    if path.endswith(".weights.h5"):
        model.load_weights(path)
    else:
        tf.train.Checkpoint(**keras3_objects.of(model)).read(path).assert_existing_objects_matched()
    return model


def save(model, path):
    if path.endswith(".keras"):
        model.save(path)
    elif path.endswith(".weights.h5"):
        model.save_weights(path)
    else:
        tf.train.Checkpoint(**keras3_objects.of(model)).write(path)


def loss_after(model, steps):
    for _ in range(steps):
        model.train_on_batch(twin_port.FEATURES, twin_port.LABELS)
    return float(model.test_on_batch(twin_port.FEATURES, twin_port.LABELS))


def test_training_goes_on_the_same_in_keras_3_and_back(old, expected, tmp_path):
    folders, losses = [], []
    for number, kind in enumerate(KINDS):
        path = str(tmp_path / kind)
        convert(old, f"--output={path}", *MODEL)
        model = load(path)
        assert int(model.optimizer.iterations) == 3
        np.testing.assert_allclose(loss_after(model, 3), expected, rtol=1e-5, err_msg=kind)
        # The Estimator continues where Keras 3 has ended.
        after = str(tmp_path / f"after-{kind.replace('/', '-')}")
        save(model, after)
        folders.append(tmp_path / f"back-{number}")
        of_numbers = MODEL if kind == "m.weights.h5" else []
        convert(after, f"--output={folders[-1]}/model.ckpt-6", f"--like={old}", *of_numbers)
        assert open_source(str(folders[-1])).step() == 6
        losses.append(loss_after(model, 2))
    np.testing.assert_allclose(train_estimators(2, *folders), losses, rtol=1e-5)


def test_a_checkpoint_without_a_template_has_the_names_of_keras_3(old, tmp_path):
    path, back = str(tmp_path / "m.weights.h5"), str(tmp_path / "back" / "model.ckpt-3")
    convert(old, f"--output={path}", *MODEL)
    convert(path, f"--output={back}", "--kind=name-based", *MODEL)
    names = {tensor.name for tensor in open_source(back).stored}
    assert {"global_step", "beta1_power", "head/kernel/Adam_1", "norm/moving_mean"} <= names


def test_a_model_of_the_other_keras_is_named(old, tmp_path, capsys):
    output = f"--output={tmp_path / 'm.keras'}"
    other = "--model=tests.migrate.verify.tiny:Tracked"
    code = migrate.main(["checkpoint", "convert", old, output, other, "--keras=3", "--params={}"])
    assert code == 2
    message = "a keras.Model of Keras 3 (import keras, not tf.keras). Leave out --keras=3"
    assert message in capsys.readouterr().err
