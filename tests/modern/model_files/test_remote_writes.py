"""Tests of checkpoints that are written operation by operation."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern.model_files import remote_writes
from tests.modern import programs

KERNEL = "model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE"


@pytest.fixture
def checkpoint():
    """Returns a checkpoint of a model and its optimizer, which has slots."""
    model = tf_keras.Sequential([tf_keras.layers.Dense(2, input_shape=(3,))])
    model.compile(tf_keras.optimizers.Adam(), "mse")
    model.optimizer.build(model.trainable_variables)
    return tf.train.Checkpoint(model=model, optimizer=model.optimizer)


def writer(checkpoint):
    return remote_writes.Writer(checkpoint, checkpoint.optimizer.iterations)


def contents(path):
    """Returns all values of a checkpoint by key, including its graph of objects."""
    reader = tf.train.load_checkpoint(str(path))
    return {key: reader.get_tensor(key) for key in reader.get_variable_to_shape_map()}


def test_the_files_are_those_of_tensorflow(checkpoint, tmp_path):
    checkpoint.write(str(tmp_path / "theirs"))
    writer(checkpoint).snapshot().write(str(tmp_path / "ours"))
    ours, theirs = contents(tmp_path / "ours"), contents(tmp_path / "theirs")
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        np.testing.assert_array_equal(ours[key], value, key)


def test_values_are_those_of_the_moment(checkpoint, tmp_path):
    (kernel, _) = checkpoint.model.weights
    ours = writer(checkpoint)
    for value in (1, 2):
        kernel.assign(tf.fill(kernel.shape, float(value)))
        checkpoint.optimizer.iterations.assign(value)
        snapshot = ours.snapshot()
        kernel.assign(tf.zeros(kernel.shape))
        assert snapshot.step == value
        snapshot.write(str(tmp_path / "new" / "folder"))
        assert (contents(tmp_path / "new" / "folder")[KERNEL] == value).all()


def test_a_table_is_saved_as_it_is(checkpoint, tmp_path):
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)
    ours = remote_writes.Writer(tf.train.Checkpoint(table=table), checkpoint.optimizer.iterations)
    ours.snapshot()
    table.insert(tf.constant([5], tf.int64), tf.constant([7], tf.int64))
    ours.snapshot().write(str(tmp_path / "ours"))
    assert [7] in [list(np.ravel(value)) for value in contents(tmp_path / "ours").values()]


def test_python_state_is_saved_as_it_is(checkpoint, tmp_path):
    class State(tf.train.experimental.PythonState):
        text = "before"

        def serialize(self):
            return self.text

        def deserialize(self, value):
            self.text = value

    checkpoint.state = State()
    ours = writer(checkpoint)
    ours.snapshot()
    checkpoint.state.text = "after"
    ours.snapshot().write(str(tmp_path / "ours"))
    assert b"after" in contents(tmp_path / "ours").values()


def test_new_objects_are_saved(checkpoint, tmp_path):
    ours = writer(checkpoint)
    ours.snapshot()
    checkpoint.added = tf.Variable(3.0)
    ours.snapshot().write(str(tmp_path / "ours"))
    assert contents(tmp_path / "ours")["added/.ATTRIBUTES/VARIABLE_VALUE"] == 3.0


def test_a_write_after_an_error_succeeds(checkpoint, tmp_path):
    (tmp_path / "part_temp").write_text("This file stands where TensorFlow makes a folder.")
    with pytest.raises(tf.errors.OpError):
        writer(checkpoint).snapshot().write(str(tmp_path / "part"))
    writer(checkpoint).snapshot().write(str(tmp_path / "other"))
    assert KERNEL in contents(tmp_path / "other")


@pytest.mark.parametrize(("defect", "are_copied"), [("", False), ("planted", True)])
def test_values_stay_on_their_servers(defect, are_copied):
    found = programs.printed_by("tests.modern.model_files.snapshot_of_servers", defect)
    assert found["step"] == 7
    assert (found["grown_mb"] > 64) == are_copied  # A copy of both has 128 MB.
