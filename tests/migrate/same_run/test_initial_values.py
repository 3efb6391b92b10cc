"""Tests that the initial values of a training are kept, with and without a checkpoint."""

import os

import numpy as np
import pytest
import tensorflow as tf

from migrate import checkpoint
from migrate.same_run import initial_values, recorder
from modern.process.chosen_keras import keras

tf1 = tf.compat.v1


@pytest.fixture(params=[False, True], ids=["reference", "resource"])
def session(request):
    """Yields a session with a weight and a step, whose graph is final."""
    with tf.Graph().as_default() as graph:
        tf1.get_variable("a/w", initializer=np.float32([1, 2]), use_resource=request.param)
        tf1.train.get_or_create_global_step()
        initialize = tf1.global_variables_initializer()
        graph.finalize()
        with tf1.Session() as session:
            session.run(initialize)
            yield session


def test_the_variables_of_a_session_are_saved_by_name(session, tmp_path):
    prefix = str(tmp_path / "named" / "model.ckpt-0")
    assert initial_values.save(session, prefix)
    reader = tf.train.load_checkpoint(prefix)
    assert sorted(reader.get_variable_to_shape_map()) == ["a/w", "global_step"]
    assert reader.get_tensor("a/w").tolist() == [1.0, 2.0]
    assert reader.get_tensor("global_step").dtype == np.int64


@pytest.mark.filterwarnings("ignore")
def test_partitions_are_not_saved(tmp_path):
    with tf.Graph().as_default(), tf1.Session() as session:
        partitioner = tf1.fixed_size_partitioner(2)
        tf1.get_variable("w", [4], partitioner=partitioner, use_resource=False)
        session.run(tf1.global_variables_initializer())
        assert not initial_values.save(session, str(tmp_path / "model.ckpt-0"))


def test_the_first_training_of_a_folder_is_kept_if_the_program_saves_nothing(session, tmp_path):
    record = tmp_path / "record"
    record.mkdir()
    keeper = recorder._Recorder(str(record))
    place = keeper._keep_first(str(tmp_path / "model"), session)
    assert place == os.path.join("first-1", "named", "model.ckpt-0")
    assert (record / f"{place}.index").exists()
    assert keeper._keep_first(str(tmp_path / "model"), session) == ""


def test_a_checkpoint_of_the_program_is_preferred(session, tmp_path):
    model_dir = tmp_path / "model"
    assert initial_values.save(session, str(model_dir / "model.ckpt-7"))
    (model_dir / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-7"\n')
    (tmp_path / "record").mkdir()
    keeper = recorder._Recorder(str(tmp_path / "record"))
    assert keeper._keep_first(str(model_dir), session).endswith("model.ckpt-7")


@pytest.mark.keras(2, 3)
def test_a_keras_model_is_kept_before_its_first_step(tmp_path):
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(keras.optimizers.Adam(0.1), "mse")
    model.model_dir = str(tmp_path / "model")
    record = tmp_path / "record"
    record.mkdir()
    keeper = recorder._Recorder(str(record))
    spec = (tf.TensorSpec([None, 2]), tf.TensorSpec([None, 1]))
    place = keeper._keep_first_of_model(model, spec)
    assert place == os.path.join("first-1", "keras", "ckpt-0")
    with checkpoint.open_source(str(record / place)) as source:
        kernels = [source.read(one) for one in source.stored if one.shape == (2, 1)]
        assert source.step() == 0
    kernel, *slots = sorted(kernels, key=np.sum, reverse=True)
    assert (kernel.tolist(), np.sum(slots), len(slots)) == ([[1.0], [1.0]], 0.0, 2)
    assert keeper._keep_first_of_model(model, spec) == ""


def test_a_model_without_a_folder_is_not_kept(tmp_path):
    model = keras.Sequential([keras.layers.Dense(1)])
    assert recorder._Recorder(str(tmp_path))._keep_first_of_model(model, None) == ""
