"""Tests of datasets from another graph, which input functions use by a one-shot iterator."""

import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator
from legacy.contrib import learn
from legacy.estimator.loops import foreign_datasets

tf1 = tf.compat.v1


@pytest.fixture(name="dataset")
def _dataset():
    with tf.Graph().as_default():
        words = tf1.data.Dataset.from_tensor_slices({"word": ["a", "b", "c"], "x": [1.0, 2.0, 4.0]})
        yield words.map(lambda row: ({"x": row["x"] * 2}, row["x"])).batch(2).repeat(2)


def count(total):
    with tf.control_dependencies([total]):
        return tf1.assign_add(tf1.train.get_global_step(), 1)


def model_fn(features, labels, mode):
    total = tf.reduce_sum(features["x"])
    seen = {"seen": tf1.metrics.mean(total)}
    return estimator.EstimatorSpec(
        mode,
        predictions={"x": features["x"]},
        loss=total,
        train_op=count(total),
        eval_metric_ops=seen,
    )


def test_training_evaluation_and_prediction(dataset, tmp_path):
    model = estimator.Estimator(model_fn, str(tmp_path))
    model.train(lambda: dataset.make_one_shot_iterator().get_next())
    result = model.evaluate(lambda: dataset.make_one_shot_iterator().get_next())
    assert (int(result["global_step"]), float(result["seen"])) == (4, 7.0)
    predicted = model.predict(lambda: dataset.make_one_shot_iterator().get_next())
    assert [row["x"] for row in predicted] == [2, 4, 8] * 2


def test_contrib_learn(dataset, tmp_path):
    def old_model_fn(features, labels):
        total = tf.reduce_sum(features["x"])
        return {"x": features["x"]}, total, count(total)

    model = learn.Estimator(old_model_fn, str(tmp_path))
    model.fit(input_fn=lambda: dataset.make_one_shot_iterator().get_next())
    predicted = model.predict(input_fn=lambda: dataset.make_one_shot_iterator().get_next())
    assert [row["x"] for row in predicted] == [2, 4]  # Only one run, because it is no queue.


def test_elsewhere_it_is_an_error_as_before(dataset):
    with tf.Graph().as_default(), foreign_datasets.copying(), foreign_datasets.copying():
        pass
    with tf.Graph().as_default(), pytest.raises(ValueError, match="different from the graph"):
        dataset.make_one_shot_iterator()
