"""Tests of contrib.learn's Estimator that are not compared with the original."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import learn
from legacy.contrib.learn.estimators import evaluation_metrics

tf1 = tf.compat.v1


def model_fn(features, labels, mode):
    weights = tf1.get_variable("weights", [features.shape[1], 1])
    predictions = tf.matmul(tf.cast(features, tf.float32), weights)[:, 0]
    loss = tf.reduce_mean(tf.square(predictions - tf.cast(labels, tf.float32)))
    optimizer = tf1.train.GradientDescentOptimizer(0.1)
    return predictions, loss, optimizer.minimize(loss, tf1.train.get_global_step())


@pytest.fixture
def estimator(tmp_path):
    return learn.Estimator(model_fn, str(tmp_path))


def test_streams_of_examples(estimator):
    def stream():
        return iter(np.eye(2)[i % 2] for i in range(10)), iter(float(i % 2) for i in range(10))

    learn.SKCompat(estimator).fit(*stream(), batch_size=4)
    assert estimator.get_variable_value("global_step") == 3
    x, _ = stream()
    assert learn.SKCompat(estimator).predict(x, batch_size=4).shape == (10,)
    with pytest.raises(ValueError, match="Both x and y should be iterators"):
        estimator.fit(x=stream()[0], y=np.zeros(3), batch_size=1, steps=1)


def test_input_of_another_shape_is_refused(estimator):
    estimator.fit(x=np.ones([4, 2]), y=np.ones(4), steps=1)
    with pytest.raises(ValueError, match="Features are incompatible"):
        estimator.evaluate(x=np.ones([4, 3]), y=np.ones(4), steps=1)


def test_sparse_predictions_are_divided_by_example(tmp_path):
    x = np.array([[0, 1], [2, 0], [3, 4]], np.float32)

    def model_fn(features, labels, mode):
        step = tf1.train.get_or_create_global_step()
        dense = tf.cast(features, tf.float32) * tf1.get_variable("one", initializer=1.0)
        predictions = {"sparse": tf.sparse.from_dense(dense), "dense": dense}
        return predictions, tf.reduce_sum(dense), tf1.assign_add(step, 1)

    def as_array(value):
        array = np.zeros(value.dense_shape)
        array[tuple(value.indices.T)] = value.values
        return array

    estimator = learn.Estimator(model_fn, str(tmp_path)).fit(x=x, y=np.ones(3), steps=1)
    examples = list(estimator.predict(x=x, as_iterable=True))
    assert [as_array(one["sparse"]).tolist() for one in examples] == x.tolist()
    assert [one["dense"].tolist() for one in examples] == x.tolist()
    whole = learn.SKCompat(estimator).predict(x, batch_size=2)
    assert as_array(whole["sparse"]).tolist() == whole["dense"].tolist() == x.tolist()


def test_parameters_as_scikit_learn_sets_them():
    estimator = learn.Estimator(lambda features, labels, params: None, params={"a": 1})
    assert estimator.get_params()["params"] == {"a": 1}
    assert estimator.set_params(params={"a": 2}).params == {"a": 2}
    with pytest.raises(ValueError, match="Invalid parameter other"):
        estimator.set_params(other=1)


def test_rewriting_graphs_is_refused(estimator):
    estimator.fit(x=np.ones([4, 2]), y=np.ones(4), steps=1)
    specs = [((tf.saved_model.SERVING,), ()), (("other",), ("quantize",))]
    rewrite = [type("Spec", (), {"tags": tags, "transforms": t}) for tags, t in specs]
    with pytest.raises(NotImplementedError, match="leave graph_rewrite_specs out"):
        estimator.export_savedmodel("unused", lambda: None, graph_rewrite_specs=rewrite)


def test_a_sparse_prediction_alone_is_divided_by_example():
    batch = tf1.SparseTensorValue(np.array([[0, 1], [2, 0]]), np.array([5, 7]), np.array([3, 2]))
    found = evaluation_metrics.examples(batch)
    assert [(one.indices.tolist(), one.values.tolist()) for one in found] == [
        ([[1]], [5]), ([], []), ([[0]], [7]),
    ]  # fmt: skip
