"""Tests that read SavedModels and load their graphs."""

import pytest
import tensorflow as tf

from legacy.estimator.export import saved_model_graph

tf1 = tf.compat.v1


@pytest.fixture
def path(tmp_path):
    """Writes a SavedModel as text. It doubles its input and has an asset file. Returns its path."""
    asset = tmp_path / "words.txt"
    asset.write_text("a\n")
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf1.Session() as session:
        file = tf.constant(str(asset), name="asset")
        tf1.add_to_collection(tf1.GraphKeys.ASSET_FILEPATHS, file)
        x = tf1.placeholder(tf.float32, [None], name="x")
        weight = tf1.get_variable("weight", initializer=2.0)
        session.run(weight.initializer)
        outputs = {"y": tf.multiply(x, weight, name="y"), "file": tf.identity(file)}
        builder = tf1.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(
            session,
            ["one", "two"],
            {"s": tf1.saved_model.predict_signature_def({"x": x}, outputs)},
            assets_collection=[file],
        )
        builder.save(as_text=True)
    asset.unlink()
    return path


def test_inputs_are_replaced_and_names_may_be_taken(path):
    meta_graph = saved_model_graph.read(path.encode())[frozenset(["two", "one"])]
    with tf.Graph().as_default(), tf1.Session() as session:
        given = tf.constant([4.0], name="y")
        tf.constant(1.0, name="saved_model_output_0")
        outputs = saved_model_graph.load(
            meta_graph, path, {"x": given}, meta_graph.signature_def["s"].outputs
        )
        (weight,) = tf1.global_variables()
        session.run(weight.initializer)
        values = session.run(outputs)
        assert saved_model_graph.main_op() is None
        saved_model_graph.clear_collections()
        assert tf1.get_collection(tf.saved_model.ASSETS_KEY) == []
    assert values == {"y": [8.0], "file": f"{path}/assets/words.txt".encode()}


def test_several_main_ops():
    with tf.Graph().as_default():
        for _ in range(2):
            tf1.add_to_collection(tf1.saved_model.MAIN_OP_KEY, tf.no_op())
        with pytest.raises(RuntimeError, match="Expected exactly one SavedModel init op"):
            saved_model_graph.main_op()


def test_no_savedmodel(tmp_path):
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        saved_model_graph.read(str(tmp_path))
