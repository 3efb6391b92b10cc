"""Test of the paths of a SavedModel's files."""

import pathlib

import tensorflow as tf

from legacy.private_api import saved_model_paths


def test_a_saved_model_has_them(tmp_path):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.get_variable("x", initializer=1.0).initializer.run()
        builder = tf.compat.v1.saved_model.Builder(str(tmp_path / "model"))
        builder.add_meta_graph_and_variables(session, ["serve"])
        builder.save()
    folder = bytes(tmp_path / "model")
    path = pathlib.Path(saved_model_paths.get_variables_path(folder))
    assert path.with_suffix(".index").exists()
    assert str(path.parent) == saved_model_paths.get_variables_dir(folder)
    assert saved_model_paths.get_assets_dir(folder) == str(tmp_path / "model" / "assets")
