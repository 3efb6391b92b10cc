"""Tests of the checks that canned models make on feature columns."""

import pytest
import tensorflow as tf

from legacy.estimator.canned import feature_columns as columns_lib
from tests.legacy.estimator.canned.models import number, word

fc = tf.feature_column


@pytest.fixture
def v1_column():
    with tf.Graph().as_default():
        (column,) = tf.compat.v1.feature_column.shared_embedding_columns([word()], 2)
    return column


def test_kinds(v1_column):
    assert columns_lib.all_v2([number(), word()])
    assert not columns_lib.all_v2([number(), v1_column])
    columns_lib.refuse_v1([number()])
    with pytest.raises(ValueError, match="Received a feature column from TensorFlow v1"):
        columns_lib.refuse_v1([number(), v1_column])
    bucketized = fc.bucketized_column(fc.numeric_column("y"), [0.0])
    assert [columns_lib.is_categorical(c) for c in (word(), bucketized, number())] == [
        True,
        True,
        False,
    ]


def test_order_is_by_name():
    assert [c.name for c in columns_lib.by_name([number(), word()])] == ["word", "x"]
    assert columns_lib.by_name(number()) == [number()]
    assert columns_lib.by_name(iter([number()])) == [number()]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([], "must not be empty"),
        ({"x": number()}, "found dict"),
        (["x"], "Items of feature_columns must be a FeatureColumn"),
        ([number(), number()], "Duplicate feature column name"),
    ],
)
def test_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        columns_lib.by_name(columns)


def test_features_are_a_dict():
    columns_lib.check_features({})
    with pytest.raises(ValueError, match="features should be a dictionary of `Tensor`s"):
        columns_lib.check_features([1.0])


def test_scope_names():
    assert columns_lib.scope_name(fc.numeric_column("capital gain/%")) == "capital_gain__"


def test_batch_sizes():
    columns = [fc.numeric_column(name) for name in "abc"]
    with tf.Graph().as_default():
        unknown = tf.compat.v1.placeholder(tf.float32, [None, 1])
        columns_lib.check_batch_sizes([tf.zeros([2, 1]), unknown, tf.zeros([2, 1])], columns)
        with pytest.raises(ValueError, match=r"must be same.*\(a, c\): \(2, 3\)"):
            columns_lib.check_batch_sizes([tf.zeros([2, 1]), unknown, tf.zeros([3, 1])], columns)
