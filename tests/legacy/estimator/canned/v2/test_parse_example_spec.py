"""Tests of parsing specs: labels and weights are added to the features, without collisions."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.compat.v1 import estimator as estimator_v1

APIS = pytest.mark.parametrize("api", [estimator, estimator_v1])


def columns():
    return [tf.feature_column.numeric_column("age")]


@APIS
def test_a_parsed_example_has_features_label_and_weight(api):
    spec = api.classifier_parse_example_spec(
        columns(), "clicked", label_default=0, weight_column="importance"
    )
    example = tf.train.Example()
    example.features.feature["age"].float_list.value.append(30.0)
    example.features.feature["importance"].float_list.value.append(0.5)
    parsed = tf.io.parse_example([example.SerializeToString()], spec)
    assert {key: value.numpy().tolist() for key, value in parsed.items()} == {
        "age": [[30.0]],
        "clicked": [[0]],
        "importance": [[0.5]],
    }


@APIS
def test_a_regressors_label_has_its_dimension(api):
    spec = api.regressor_parse_example_spec(columns(), "y", label_dimension=3)
    assert spec["y"] == tf.io.FixedLenFeature((3,), tf.float32)


@APIS
def test_label_and_weight_are_no_features(api):
    with pytest.raises(ValueError, match="label should not be used as feature.*'age'"):
        api.classifier_parse_example_spec(columns(), "age")
    with pytest.raises(ValueError, match="weight_column should not be used as feature.*'age'"):
        api.regressor_parse_example_spec(columns(), "y", weight_column="age")
    bucketized = tf.feature_column.bucketized_column(tf.feature_column.numeric_column("w"), [1.0])
    with pytest.raises(ValueError, match=r"should be an instance of tf.feature_column.numeric"):
        api.regressor_parse_example_spec(columns(), "y", weight_column=bucketized)
