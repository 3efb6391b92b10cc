"""Test of parsing specs of the v1 API. The tests of the v2 API compare both."""

import tensorflow as tf

from legacy.compat.v1 import estimator


def test_a_label_has_the_type_and_the_default_that_are_given():
    columns = [tf.feature_column.numeric_column("age")]
    spec = estimator.classifier_parse_example_spec(columns, "y", tf.string, "none")
    assert spec == {
        "age": tf.io.FixedLenFeature((1,), tf.float32),
        "y": tf.io.FixedLenFeature((1,), tf.string, "none"),
    }
