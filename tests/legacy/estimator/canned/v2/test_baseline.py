"""Tests that baselines learn the frequencies of labels. The oracle compares their values."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from legacy.compat.v1 import estimator as estimator_v1

APIS = pytest.mark.parametrize("api", [estimator, estimator_v1])

LABELS = np.array([[0], [1], [1], [1]])


def features():
    return {"x": np.zeros([4, 1], np.float32), "w": np.float32([[3], [1], [1], [1]])}


def input_fn():
    return tf.data.Dataset.from_tensors((features(), LABELS)).repeat(150)


def unlabelled():
    return tf.data.Dataset.from_tensors(features())


@APIS
def test_a_classifier_learns_the_classes_frequencies_and_predictions_end(api):
    classifier = api.BaselineClassifier(n_classes=3).train(input_fn)
    (*_, last) = predictions = list(classifier.predict(unlabelled))
    assert len(predictions) == 4
    np.testing.assert_allclose(last["probabilities"], [0.25, 0.75, 0], atol=0.05)
    assert classifier.get_variable_value("baseline/bias").shape == (3,)


def test_examples_are_weighed():
    column = tf.feature_column.numeric_column("w")
    classifier = estimator.BaselineClassifier(weight_column=column).train(input_fn)
    (probability,) = next(classifier.predict(unlabelled))["logistic"]
    np.testing.assert_allclose(probability, 0.5, atol=0.01)


def test_features_of_different_sizes_are_refused():
    def uneven():
        return {"x": tf.zeros([4]), "y": tf.zeros([3])}, LABELS

    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        estimator.BaselineRegressor().train(uneven, steps=1)


@APIS
@pytest.mark.parametrize(
    "x",
    [lambda: ((1,), (2,)), lambda: tf.sparse.from_dense([[1.0], [2.0]])],
    ids=["lists", "sparse"],
)
def test_features_need_not_be_tensors(api, x):
    regressor = api.BaselineRegressor().train(lambda: ({"x": x()}, ((1.0,), (3.0,))), steps=1)
    assert regressor.get_variable_value("baseline/bias").shape == (1,)


@APIS
def test_what_is_no_features_is_refused(api):
    regressor = api.BaselineRegressor()
    with pytest.raises(ValueError, match="at least one entry besides the weights"):
        regressor.train(lambda: ({}, LABELS), steps=1)
    with pytest.raises(ValueError, match="features should be a dictionary"):
        regressor.train(lambda: (tf.zeros([4]), LABELS), steps=1)
    with pytest.raises(TypeError, match="Weight column must be either a string or"):
        api.BaselineClassifier(weight_column=3).train(input_fn, steps=1)
