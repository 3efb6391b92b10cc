"""Tests that a model knows its folder, and that no checkpoint contains the folder."""

import os

import tensorflow as tf
import tf_keras

from modern.model_files import model_dirs


def test_a_model_knows_its_folder_and_no_checkpoint_has_it(tmp_path):
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    assert (model_dirs.of(model), model_dirs.of(None), model_dirs.saves_of(model)) == (
        None,
        None,
        {},
    )
    model_dirs.settle(model, "folder", {"save_secs": 5})
    assert (model.model_dir, model_dirs.saves_of(model)) == ("folder", {"save_secs": 5})
    model(tf.zeros([1, 1]))
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "a"))
    assert not [name for name, _ in tf.train.list_variables(path) if "save_secs" in name]
    with open(f"{path}.index", "rb") as index:
        assert b"_saves_in_model_dir" not in index.read()


def test_one_without_gets_a_temporary_one_and_says_so(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(model_dirs.tempfile, "tempdir", str(tmp_path))
    model = tf_keras.Sequential()
    folder = model_dirs.or_temporary(model)
    assert os.path.dirname(folder) == str(tmp_path)
    assert f"temporary folder as model_dir: {folder}" in caplog.text
    assert model_dirs.or_temporary(model) == folder == model.model_dir
