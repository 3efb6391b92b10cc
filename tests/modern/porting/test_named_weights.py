"""Tests that weights have the names of an Estimator's variables, in models and in checkpoints."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern import porting
from modern.model_files import weights
from modern.porting import column_layers, heads, named_weights


class Net(tf_keras.Model):
    """A model whose first batch creates its variables."""

    def __init__(self):
        super().__init__()
        self.dense = tf_keras.layers.Dense(1, name="tower/dense")
        self.error = tf_keras.metrics.Mean("error")

    def call(self, features):
        return self.dense(features)


def _net(folder=None):
    model = Net()
    model.compile("sgd", "mse")
    porting.restore(model, folder, save_steps=100)
    return model


def _data():
    return tf.data.Dataset.from_tensors(([[1.0, 2.0]], [[3.0]])).repeat(3)


def _trained(folder):
    model = _net(folder)
    model.fit(_data(), callbacks=porting.callbacks(model), verbose=0)
    return model


def _head():
    inputs = {"w": tf_keras.Input([1], name="w", dtype=tf.int64)}
    embedding = column_layers.EmbeddingBag(3, 2, name="dnn/w_embedding")
    logits = tf_keras.layers.Dense(1, name="dnn/logits")(embedding(inputs["w"]))
    return heads.Regressor(column_layers.FromFeatures(inputs, logits))


def test_the_variables_of_a_model_have_the_names_of_an_estimator(tmp_path):
    assert [*named_weights.variables(_trained(tmp_path / "a"))] == [
        "tower/dense/kernel",
        "tower/dense/bias",
    ]
    assert [*named_weights.variables(_head())] == [
        "dnn/input_from_feature_columns/input_layer/w_embedding/embedding_weights",
        "dnn/logits/kernel",
        "dnn/logits/bias",
    ]


def test_a_checkpoint_of_keras_is_read_by_name(tmp_path):
    model = _trained(str(tmp_path))
    values = named_weights.NamedValues(str(tmp_path))
    assert values.is_of_objects
    assert values.step == int(values["global_step"]) == 3
    assert values["tower/dense/kernel"].tolist() == model.dense.kernel.numpy().tolist()
    assert not [name for name in values if "error" in name or "total" in name]


def test_the_path_of_an_estimators_checkpoint_stands_for_that_of_the_model(tmp_path):
    _trained(str(tmp_path))
    path = str(tmp_path / "checkpoints" / "ckpt-3")
    assert named_weights.path_of(str(tmp_path / "model.ckpt-3")) == path
    assert named_weights.path_of(tmp_path) == path
    for missing in ("model.ckpt-2", "no folder"):
        with pytest.raises(weights.CheckpointError, match="There is no checkpoint in"):
            named_weights.path_of(str(tmp_path / missing))


def test_a_damaged_checkpoint_is_an_error(tmp_path):
    _trained(str(tmp_path))
    (tmp_path / "checkpoints" / "ckpt-3.index").write_bytes(b"x")
    with pytest.raises(weights.CheckpointError, match="cannot be read"):
        named_weights.NamedValues(str(tmp_path))


def test_names_and_values_are_those_of_an_estimator(tmp_path):
    trained = _trained(str(tmp_path))
    names = ["global_step", "tower/dense/bias", "tower/dense/kernel"]
    # The second model reads its folder, because it has no variables yet.
    for model in (trained, _net(str(tmp_path))):
        assert porting.variable_names(model) == names
        kernel = porting.variable_value(model, "tower/dense/kernel")
        np.testing.assert_array_equal(kernel, trained.dense.kernel)
        assert porting.variable_value(model, "global_step") == 3
        with pytest.raises(ValueError, match=r"no variable 'dense/kernel', but global_step, tower"):
            porting.variable_value(model, "dense/kernel")
    with pytest.raises(weights.CheckpointError, match="no variables yet"):
        porting.variable_names(_net())


def test_variables_of_a_folder_are_those_of_an_estimator(tmp_path):
    model = _trained(str(tmp_path))
    listed = [("global_step", []), ("tower/dense/bias", [1]), ("tower/dense/kernel", [2, 1])]
    for place in (str(tmp_path), str(tmp_path / "model.ckpt-3")):
        assert porting.list_variables(place) == listed
        kernel = porting.load_variable(place, "tower/dense/kernel")
        np.testing.assert_array_equal(kernel, model.dense.kernel)
    # Those of any other checkpoint are unchanged.
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(str(tmp_path / "other" / "ckpt"))
    name = "v/.ATTRIBUTES/VARIABLE_VALUE"
    assert (name, []) in porting.list_variables(path)
    assert porting.load_variable(path, name) == 1.0


class Block(tf_keras.layers.Layer):
    def __init__(self, scope):
        super().__init__()
        self.dense = tf_keras.layers.Dense(2, name=scope + "/dense")

    def call(self, x):
        return self.dense(x)


class Blocks(tf_keras.Model):
    """A ported model: its layers have the complete names of an Estimator's variables."""

    def __init__(self):
        super().__init__()
        self.block, self.block_1 = Block("block"), Block("tower/block")

    def call(self, x):
        return self.block_1(self.block(x))


def test_layers_of_a_function_have_the_names_of_the_estimator(tmp_path):
    model = Blocks()
    model.compile("sgd", "mse")
    model.fit([[1.0, 2.0]], [[1.0, 2.0]], verbose=0)
    names = ["block/dense/bias", "block/dense/kernel", "global_step"]
    names += ["tower/block/dense/bias", "tower/block/dense/kernel"]
    assert named_weights.variable_names(model) == names
    kernel = named_weights.variable_value(model, "tower/block/dense/kernel")
    np.testing.assert_array_equal(kernel, model.block_1.dense.kernel)
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "ckpt"))
    values = named_weights.NamedValues(path)
    np.testing.assert_array_equal(values["tower/block/dense/kernel"], kernel)
    assert "dense/kernel" not in values
