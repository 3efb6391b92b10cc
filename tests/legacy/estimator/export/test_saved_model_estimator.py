"""Tests of Estimators that are made from SavedModels."""

import os

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.export.saved_model_estimator import SavedModelEstimator
from legacy.estimator.export.supervised_receivers import build_raw_supervised_input_receiver_fn

tf1 = tf.compat.v1


def input_fn():
    # This operation has a name that the SavedModel's graph has too.
    x = tf.constant([1.0, 2.0]) + 0.0
    return tf.data.Dataset.from_tensors(({"word": ["a", "c"], "x": x}, [3.0, 4.0])).repeat()


def predict_fn():
    return tf.data.Dataset.from_tensors({"word": ["b", "z"], "x": [1.0, 2.0]})


WORD, X = tf.TensorSpec([None], tf.string), tf.TensorSpec([None], tf.float32)
SUPERVISED = build_raw_supervised_input_receiver_fn({"word": WORD, "x": X}, X)
SERVING = estimator.export.build_raw_serving_input_receiver_fn({"word": WORD, "x": X})
RECEIVERS = {"train": SUPERVISED, "eval": SUPERVISED, "infer": SERVING}


def model_fn(features, labels, mode, params):
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(params["words"], tf.string, -2, tf.int64, -1), 1
    )
    weight = tf1.get_variable("weight", [4], initializer=tf1.ones_initializer())
    score = tf.gather(weight, table.lookup(features["word"])) * features["x"]
    if mode == "infer":
        return estimator.EstimatorSpec(mode, predictions={"score": score})
    loss = tf.reduce_mean(tf.square(score - labels))
    optimizer = tf1.train.MomentumOptimizer(0.1, 0.9)
    return estimator.EstimatorSpec(
        mode,
        predictions={"score": score},
        loss=loss,
        train_op=optimizer.minimize(loss, tf1.train.get_global_step()),
        eval_metric_ops={"error": tf1.metrics.mean_absolute_error(labels, score)},
    )


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    words = folder / "words.txt"
    words.write_text("a\nb\nc\n")
    made = estimator.Estimator(model_fn, str(folder / "model"), params={"words": str(words)})
    return made.train(input_fn, steps=3)


class Exported:
    """An Estimator's export in all modes, with its own results now and two steps later."""

    def __init__(self, first, folder):
        self.path = first.experimental_export_all_saved_models(folder, RECEIVERS)
        self.evaluated = self.evaluate(first)
        self.predicted = list(first.predict(predict_fn))
        self.later = self.evaluate(first.train(input_fn, steps=2))
        os.remove(first.params["words"])  # The SavedModel has a copy.

    @staticmethod
    def evaluate(made):
        found = made.evaluate(input_fn, steps=2)
        return {name.replace("metrics/", ""): pytest.approx(found[name]) for name in found}


@pytest.fixture(scope="module")
def exported(first, tmp_path_factory):
    return Exported(first, str(tmp_path_factory.mktemp("all")))


def test_it_goes_on_where_the_savedmodel_ends(exported, tmp_path):
    again = SavedModelEstimator(exported.path, str(tmp_path / "again"))
    found = again.evaluate(input_fn, steps=2)
    assert set(found) == {"loss", "metrics/error", "global_step"}
    assert exported.evaluated == {name.replace("metrics/", ""): found[name] for name in found}
    assert list(again.predict(predict_fn)) == exported.predicted
    again.train(input_fn, steps=2)
    assert again.get_variable_value("global_step") == 5
    found = again.evaluate(input_fn, steps=2)
    assert exported.later == {name.replace("metrics/", ""): found[name] for name in found}
    more = again.experimental_export_all_saved_models(str(tmp_path / "more"), RECEIVERS)
    third = SavedModelEstimator(more, str(tmp_path / "third"))
    assert third.evaluate(input_fn, steps=2) == found


def test_modes_that_it_does_not_have(exported, tmp_path):
    again = SavedModelEstimator(exported.path, str(tmp_path / "again"))
    path = again.export_saved_model(str(tmp_path), SERVING)
    serving = SavedModelEstimator(path, str(tmp_path / "serving"))
    assert list(serving.predict(predict_fn)) == exported.predicted
    with pytest.raises(RuntimeError, match="train mode is not available"):
        serving.train(input_fn, steps=1)
    with pytest.raises(RuntimeError, match="eval mode is not available"):
        serving.evaluate(input_fn, steps=1)


@pytest.mark.parametrize(
    ("features", "error", "message"),
    [
        ({"word": ["a"], "x": [[1.0]]}, ValueError, "input x:\n\tExpected shape"),
        ({"word": [1], "x": [1.0]}, ValueError, "input word:\n\tExpected dtype"),
        ({"word": ["a"]}, ValueError, '"x" not found in features or labels'),
        (None, RuntimeError, "must not contain a global step"),
    ],
)
def test_input_that_does_not_fit(exported, tmp_path, features, error, message):
    def wrong_fn():
        if features is None:
            tf1.train.create_global_step()
        return {key: tf.constant(value) for key, value in (features or {}).items()}, tf.constant(
            [1.0]
        )

    again = SavedModelEstimator(exported.path, str(tmp_path / "again"))
    with pytest.raises(error, match=message):
        again.train(wrong_fn, steps=1)


def test_no_savedmodel(tmp_path):
    with pytest.raises(ValueError, match="invalid SavedModel format"):
        SavedModelEstimator(str(tmp_path))
    (tmp_path / "variables").mkdir()
    (tmp_path / "variables" / "variables.index").touch()
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        SavedModelEstimator(str(tmp_path))
