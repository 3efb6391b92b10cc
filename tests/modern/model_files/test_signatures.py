"""Tests that SavedModels of Keras models have the signatures of an Estimator's export."""

import os

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from modern import porting
from modern.model_files.checkpoints import Checkpoints
from modern.model_files.errors import CheckpointError
from tests.modern import ported

v1 = tf.compat.v1
SPEC = {"x": tf.io.FixedLenFeature([4], tf.float32)}
X = np.random.RandomState(3).randn(3, 4).astype("f")
OUTPUTS = {
    None: lambda out: out,
    "dict": lambda out: {"out": out, "positive": out > 0},
    "one": lambda out: {"scores": {"out": out}},
    "many": lambda out: {"serving_default": {"out": out}, "other": {"twice": 2 * out}},
}


class Signed(ported.Model):
    """Model with the signatures of a model_fn that has export_outputs."""

    def signatures(self, features):
        return OUTPUTS[self.kind](self(features)["out"])


class Plain(ported.Model):
    """Model that has only predictions."""

    def predict_step(self, data):
        return OUTPUTS[self.kind](self(data[0])["out"])


def _model(kind):
    model = (Signed if kind in ("one", "many") else Plain)()
    model.kind = kind
    model.compile(tf_keras.optimizers.Adam())
    return model


def _model_fn(features, labels, mode, params):
    kernels = [v1.get_variable(name, shape) for name, shape in (("a", [4, 3]), ("b", [3, 1]))]
    out = tf.tanh(features["x"] @ kernels[0]) @ kernels[1]
    found = OUTPUTS[params["kind"]](out)
    if params["kind"] in ("one", "many"):
        exports = {
            name: tf_estimator.export.PredictOutput(outputs) for name, outputs in found.items()
        }
        found = {"out": out}
    else:
        exports = None
    loss = tf.reduce_mean(out)
    train_op = v1.assign_add(v1.train.get_global_step(), 1)
    return tf_estimator.EstimatorSpec(mode, found, loss, train_op, export_outputs=exports)


def _described(path):
    """Returns names, types and shapes of the inputs and outputs of each signature."""
    return {
        name: [
            {key: (one.dtype.name, one.shape.as_list()) for key, one in group.items()}
            for group in (served.structured_input_signature[1], served.structured_outputs)
        ]
        for name, served in tf.saved_model.load(path).signatures.items()
    }


def _same_weights(model, estimator):
    """Sets a model's weights to those of an Estimator, which has no biases."""
    model.predict_on_batch({"x": X})
    first, second = (estimator.get_variable_value(name) for name in "ab")
    model.set_weights([first, np.zeros(3), second, np.zeros(1)])


@pytest.mark.parametrize("kind", OUTPUTS)
def test_signatures_are_those_of_an_estimator(kind, tmp_path):
    estimator = tf_estimator.Estimator(_model_fn, str(tmp_path / "model"), params={"kind": kind})
    estimator.train(ported.data, steps=1)
    model = _model(kind)
    _same_weights(model, estimator)
    receivers = {
        "raw": (
            tf_estimator.export.build_raw_serving_input_receiver_fn({"x": tf.zeros([1, 4])}),
            porting.raw({"x": tf.zeros([1, 4])}),
            {"x": tf.constant(X)},
        ),
        "parsing": (
            tf_estimator.export.build_parsing_serving_input_receiver_fn(SPEC, 3),
            porting.parsing(SPEC, 3),
            {"examples": tf.constant([_example(row) for row in X])},
        ),
    }
    for name, (receiver_fn, serving, request) in receivers.items():
        old = estimator.export_saved_model(str(tmp_path / f"old_{name}"), receiver_fn).decode()
        new = porting.export(model, str(tmp_path / f"new_{name}"), serving).decode()
        as_it_was = porting.export(model, str(tmp_path / f"kept_{name}"), receiver_fn).decode()
        assert _described(new) == _described(as_it_was) == _described(old)
        assert os.listdir(tmp_path / f"new_{name}") == [os.path.basename(new)]
        before, *after = (tf.saved_model.load(path).signatures for path in (old, new, as_it_was))
        for signature in before:
            expected = before[signature](**request)
            for found in (one[signature](**request) for one in after):
                for key in expected:
                    # Both sum terms of size 1, in another order. A sum close to 0 has their error.
                    np.testing.assert_allclose(found[key], expected[key], rtol=1e-5, atol=1e-6)


def _example(row):
    floats = tf.train.Feature(float_list=tf.train.FloatList(value=row))
    features = tf.train.Features(feature={"x": floats})
    return tf.train.Example(features=features).SerializeToString()


def test_a_model_that_is_yet_to_be_restored_is_restored_first(tmp_path):
    before = ported.compiled()
    before.fit(ported.data(), verbose=0)
    Checkpoints(before, str(tmp_path), None).save()
    after, other = ported.compiled(), ported.compiled(units=4)
    for model in (after, other):
        porting.restore(model, str(tmp_path))
    serving = porting.raw({"x": tf.TensorSpec([None, 4])})
    path = porting.export(after, str(tmp_path / "export"), serving).decode()
    served = tf.saved_model.load(path).signatures["serving_default"](x=tf.constant(X))
    np.testing.assert_allclose(served["out"], before({"x": X})["out"], rtol=1e-6)
    with pytest.raises(CheckpointError, match="cannot be continued from"):
        porting.export(other, str(tmp_path / "refused"), serving)
    assert not (tmp_path / "refused").exists()


def test_tables_are_saved_with_the_model(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("a\nb\n")

    class Looking(tf_keras.Model):
        def __init__(self):
            super().__init__()
            self.lookup = tf_keras.layers.StringLookup(vocabulary=["a", "b"])
            start = tf.lookup.TextFileInitializer(
                str(words), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, -1
            )
            self.tables = {"of_a_file": tf.lookup.StaticHashTable(start, 7)}
            column = tf.feature_column.categorical_column_with_vocabulary_list("w", ["a", "b"])
            column = tf.feature_column.indicator_column(column)
            self.columns = tf_keras.layers.DenseFeatures([column])

        def call(self, features):
            table = self.tables["of_a_file"]
            words = features["w"]
            return {
                "layer": self.lookup(words),
                "table": table.lookup(words),
                "column": self.columns(features),
            }

    path = porting.export(Looking(), str(tmp_path), porting.raw({"w": tf.constant(["a"])}))
    words.unlink()
    served = tf.saved_model.load(path.decode()).signatures["serving_default"]
    found = served(w=tf.constant(["b", "c"]))
    assert {name: values.numpy().tolist() for name, values in found.items()} == {
        "layer": [2, 0],
        "table": [1, 7],
        "column": [[0, 1], [0, 0]],
    }


@pytest.mark.parametrize("serving", [lambda: None, tf.function(lambda x: x)])
def test_what_is_no_serving_function_is_refused(serving, tmp_path):
    with pytest.raises(TypeError):
        porting.export(ported.built(), str(tmp_path / "base"), serving)
    assert [*tmp_path.iterdir()] == []
