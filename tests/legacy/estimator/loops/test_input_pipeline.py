"""Tests of the results of input functions."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.loops import input_pipeline
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


def test_input_of_tensors(tmp_path):
    run = estimator.Estimator(model_fn, tmp_path / "m")
    run.train(lambda: (tf.constant([[1.0]]), tf.constant([[4.0]])), steps=2)
    assert run.get_variable_value("global_step") == 2


def test_only_datasets_and_queues_can_end():
    with tf.Graph().as_default():
        features, labels, _ = input_pipeline.features_and_labels(dataset())
        assert labels.shape.as_list() == [None, 1]
        assert input_pipeline.can_end({"x": features})
        assert not input_pipeline.can_end({"x": tf.zeros([2])})
        tf1.train.range_input_producer(3)
        assert input_pipeline.can_end({"x": tf.zeros([2])})


def test_an_element_is_features_or_a_pair():
    assert input_pipeline.split({"x": 1}) == ({"x": 1}, None)
    assert input_pipeline.split([1, 2]) == (1, 2)
    with pytest.raises(ValueError, match="len 2 tuple"):
        input_pipeline.split((1, 2, 3))
