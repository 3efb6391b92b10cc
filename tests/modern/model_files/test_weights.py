"""Tests of reading, assigning and writing weights by name, and of values that do not fit."""

import types

import numpy as np
import pytest
import tensorflow as tf

from modern.jobs import linear_regression as job
from modern.model_files import weights

pytestmark = pytest.mark.keras(2, 3)


@pytest.fixture
def model():
    return job.build_model()


def split_model():
    """Returns a model whose kernel is in parts, as under ParameterServerStrategy, and values."""
    model = job.build_model()
    kernel, bias = model.get_weights()
    parts = [
        tf.Variable(kernel[:4], name="linear/kernel/part_0"),
        tf.Variable(kernel[4:], name="linear/kernel/part_1"),
        tf.Variable(bias, name="linear/bias"),
    ]
    return types.SimpleNamespace(name="split", weights=parts), kernel, bias


def test_names_and_values(model):
    found = weights.read(model)
    assert set(found) == {"linear/kernel", "linear/bias"}
    np.testing.assert_array_equal(found["linear/kernel"], model.get_weights()[0])


def test_saved_and_loaded(model, tmp_path):
    prefix = str(tmp_path / "folder" / "start")
    values = weights.read(model)
    weights.save(prefix, values)
    assert sorted(p.name for p in (tmp_path / "folder").iterdir()) == [
        "start.data-00000-of-00001",
        "start.index",
    ]
    other = job.build_model()
    assert (other.get_weights()[0] != model.get_weights()[0]).any()
    weights.load_into(other, prefix)
    for name, value in weights.read(other).items():
        np.testing.assert_array_equal(value, values[name])


def test_a_v1_saver_reads_and_writes_the_same_format(model, tmp_path):
    values = weights.read(model)
    weights.save(str(tmp_path / "ours"), values)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        kernel = tf.compat.v1.get_variable("linear/kernel", [10, 1])
        bias = tf.compat.v1.get_variable("linear/bias", [1])
        tf.compat.v1.get_variable("global_step", initializer=7)
        saver = tf.compat.v1.train.Saver({"linear/kernel": kernel, "linear/bias": bias})
        saver.restore(session, str(tmp_path / "ours"))
        np.testing.assert_array_equal(session.run(kernel), values["linear/kernel"])
        session.run(kernel.assign(kernel * 2))
        saver.save(session, str(tmp_path / "model.ckpt"), global_step=7)
    for start in ("model.ckpt-7", ""):  # A prefix, or the folder.
        weights.load_into(model, str(tmp_path / start))
        np.testing.assert_array_equal(model.get_weights()[0], 2 * values["linear/kernel"])


def test_parts_are_one_variable():
    holder, kernel, bias = split_model()
    found = weights.read(holder)
    assert set(found) == {"linear/kernel", "linear/bias"}
    np.testing.assert_array_equal(found["linear/kernel"], kernel)
    new = {"linear/kernel": kernel + 1, "linear/bias": bias - 1}
    weights.assign(holder, new, "here")
    for name, value in weights.read(holder).items():
        np.testing.assert_array_equal(value, new[name])


def test_parts_of_another_total_are_refused():
    holder, kernel, bias = split_model()
    with pytest.raises(weights.CheckpointError, match=r"\(9, 1\).*\(10, 1\)"):
        weights.assign(holder, {"linear/kernel": kernel[:9], "linear/bias": bias}, "here")


def test_a_missing_variable_is_named_and_nothing_assigned(model):
    before = model.get_weights()
    with pytest.raises(weights.CheckpointError, match="start has no 'linear/bias'.*linear/kernel"):
        weights.assign(model, {"linear/kernel": before[0] + 1}, "start")
    np.testing.assert_array_equal(model.get_weights()[0], before[0])


def test_further_values_are_passed_over(model):
    weights.assign(model, weights.read(model) | {"global_step": np.int64(7)}, "start")


@pytest.mark.parametrize("content", [None, b"not a checkpoint"])
def test_no_checkpoint_there(tmp_path, model, content):
    if content:
        (tmp_path / "start.index").write_bytes(content)
    with pytest.raises(weights.CheckpointError, match=r"--init_checkpoint=.*start cannot be read"):
        weights.load_into(model, str(tmp_path / "start"))
