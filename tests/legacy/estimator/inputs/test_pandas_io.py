"""Tests of pandas_input_fn. The oracle's `pandas_input` covers its ops and errors."""

import sys

import pytest
import tensorflow as tf

from legacy.estimator.inputs import pandas_input_fn

tf1 = tf.compat.v1


def first_batch(input_fn):
    with tf.Graph().as_default():
        tensors = input_fn()
        with tf1.train.MonitoredSession() as session:
            return session.run(tensors)


def test_columns_of_each_kind():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"word": ["p", "qq"], "x": [0.5, 1.5], "yes": [True, False]})
    labels = pandas.DataFrame({"x": [7, 8]})
    features, labels = first_batch(pandas_input_fn(frame, labels, shuffle=False))
    assert features["word"].tolist() == [b"p", b"qq"]
    assert features["x"].tolist() == [0.5, 1.5]
    assert features["yes"].tolist() == [True, False]
    assert labels["x"].tolist() == [7, 8]
    assert list(frame.columns) == ["word", "x", "yes"]


def test_numbers_that_a_column_of_objects_has():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1, 2]}, dtype=object)
    labels = pandas.Series([0.5, 1.5], dtype=object)
    features, labels = first_batch(pandas_input_fn(frame, labels, shuffle=False))
    assert (features["x"].tolist(), labels.tolist()) == ([1, 2], [0.5, 1.5])
    assert frame["x"].dtype == object


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TypeError, match="without pandas installed"):
        pandas_input_fn(None, shuffle=False)
