"""Tests of contrib.layers columns in the layers of tf.feature_column."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def test_what_a_column_lacks_is_named():
    with tf.Graph().as_default():
        features = {"other": tf.ones([2, 1])}
        with pytest.raises(ValueError, match="Feature x is not in features dictionary"):
            tf1.feature_column.input_layer(features, [layers.real_valued_column("x")])


@pytest.mark.filterwarnings("ignore:`layer.add_variable` is deprecated")
def test_transformed_features_are_made_once():
    calls = []

    def normalizer(x):
        calls.append(x)
        return x

    age = layers.real_valued_column("age", normalizer=normalizer)
    with tf.Graph().as_default():
        features = {"age": tf.constant([[1.0], [2.0]])}
        buckets = layers.bucketized_column(age, [1.5])
        crossed = layers.crossed_column(
            [buckets, layers.bucketized_column(age, [0.0, 3.0])], hash_bucket_size=10
        )
        tf1.feature_column.linear_model(features, [age, buckets, crossed])
    assert len(calls) == 1
