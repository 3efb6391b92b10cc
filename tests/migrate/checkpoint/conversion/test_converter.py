"""Tests that a trained model survives conversion to each format and back, and for refusals."""

import os

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.checkpoint import Options, TensorMap, convert, open_source
from modern.process import cli
from tests.migrate.checkpoint import twin, twin_port

# Programs of that time use tf.layers and similar functions, which warn.
pytestmark = pytest.mark.filterwarnings("ignore:.tf.layers:UserWarning")
MODEL = "tests.migrate.checkpoint.twin_port:build_model"
LEGACY = "tests.migrate.checkpoint.twin_port:build_legacy"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns the checkpoint of an Estimator after 3 steps, and its predictions."""
    folder = tmp_path_factory.mktemp("estimator")
    trained = twin.train(folder, 3, twin.adam)
    return str(folder / "model.ckpt-3"), _predictions(trained)


def _predictions(trained):
    return np.array(list(trained.predict(lambda: tf.data.Dataset.from_tensors(twin_port.FEATURES))))


@pytest.mark.parametrize(
    ("name", "model"),
    [(name, MODEL) for name in ("m.weights.h5", "m.keras", "m.h5", "saved_model", "ckpt/model")]
    + [(name, LEGACY) for name in ("m.keras", "m.h5", "ckpt/model")],
)
def test_weights_are_the_same_in_each_kind_and_come_back_bit_for_bit(
    name, model, trained, tmp_path
):
    old, predictions = trained
    output = str(tmp_path / name)
    kind = "SavedModel" if name == "saved_model" else None
    stateless = name == "m.keras" and model == LEGACY  # `.keras` lacks their optimizer state
    options = Options(weights_only=stateless)
    convert(old, output, model=model, kind=kind, options=options)
    loaded = _loaded(output, model)
    np.testing.assert_allclose(loaded(twin_port.FEATURES), predictions, rtol=1e-5, atol=1e-6)
    if name == "m.weights.h5":
        return  # names of layer classes cannot be mapped back
    back = str(tmp_path / "back" / "model.ckpt-3")
    convert(output, back, like=old, options=options)
    first, second = open_source(old), open_source(back)
    for one in first.stored:
        there = next(other for other in second.stored if other.name == one.name)
        if one.role != "power":
            np.testing.assert_array_equal(first.read(one), second.read(there), one.name)


def _loaded(path, model):
    if path.endswith((".keras", "m.h5", "saved_model")):
        return tf_keras.models.load_model(path)
    built = getattr(twin_port, model.partition(":")[2])()
    if path.endswith("weights.h5"):
        built.load_weights(path)
    else:
        checkpoint = tf.train.Checkpoint(model=built, optimizer=built.optimizer)
        checkpoint.restore(path).assert_existing_objects_matched()
    return built


def test_keras_goes_on_as_the_estimator_would_and_the_estimator_as_keras(trained, tmp_path):
    old, _ = trained
    carried = str(tmp_path / "keras" / "model")
    convert(old, carried, model=LEGACY)
    model = twin_port.build_legacy()
    model.train_on_batch(twin_port.FEATURES, twin_port.LABELS)  # creates the slots
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    checkpoint.restore(carried).assert_existing_objects_matched()
    for _ in range(3):
        model.train_on_batch(twin_port.FEATURES, twin_port.LABELS)
    expected = model.test_on_batch(twin_port.FEATURES, twin_port.LABELS)
    # The Estimator continues from the converted folder as well.
    folder = tmp_path / "estimator"
    convert(carried, str(folder / "model.ckpt-3"), like=old)
    trained_on = twin.train(folder, 3, twin.adam)
    assert open_source(str(folder)).step() == 6
    loss = trained_on.evaluate(twin.input_fn, steps=1)["loss"]
    np.testing.assert_allclose(loss, expected, rtol=1e-5)


def test_names_alone_make_a_checkpoint_that_an_estimator_reads(trained, tmp_path):
    old, _ = trained
    carried = str(tmp_path / "keras" / "model")
    convert(old, carried, model=MODEL)
    back = str(tmp_path / "back" / "model.ckpt-3")
    pairs = {
        one.name: one.name.replace("norm/", "batch_normalization/")
        for one in open_source(carried).of("variable")
    }
    convert(carried, back, given=TensorMap(pairs=pairs))
    names = {one.name for one in open_source(back).stored}
    assert {"global_step", "beta1_power", "head/kernel/Adam_1", "words/embeddings"} <= names


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options(leave_out=("head/*",)), "head/kernel has no counterpart in the source"),
        (Options(keep=("head/*",)), "head/kernel has no counterpart in the target"),
        (Options(), "the target has no Adam m"),
    ],
)
def test_what_is_unmatched_is_refused_by_name(options, message, trained, tmp_path):
    template = str(tmp_path / "like.keras")
    twin_port.build_legacy().save(template)
    with pytest.raises(cli.UsageError, match=message):
        convert(trained[0], str(tmp_path / "m.keras"), like=template, options=options)
    assert os.listdir(tmp_path) == ["like.keras"]


def test_nothing_is_overwritten_unless_told(trained, tmp_path):
    output = str(tmp_path / "model.ckpt-3")
    convert(trained[0], output, options=Options(weights_only=True))
    before = os.stat(output + ".index").st_mtime_ns
    with pytest.raises(cli.UsageError, match="exists.*--overwrite"):
        convert(trained[0], output)
    assert os.stat(output + ".index").st_mtime_ns == before
    convert(trained[0], output, overwrite=True)
    assert open_source(str(tmp_path)).step() == 3
