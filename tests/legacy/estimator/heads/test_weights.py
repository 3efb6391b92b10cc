"""Tests of `weights`, which reads the weight column and fits it to the logits."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.heads.weights import broadcast_weights, get_weights_and_check_match_logits

LOGITS = tf.zeros([2, 3])


def weights(column, feature, **more):
    return get_weights_and_check_match_logits({"w": feature}, column, LOGITS, **more)


def test_no_column():
    assert get_weights_and_check_match_logits(None, None, LOGITS) == 1.0


@pytest.mark.parametrize(
    "feature", [[1, 2], [[1], [2]], np.array([1.0, 2.0]), np.array([[1], [2]], "int64")]
)
def test_by_name(feature):
    found = weights("w", feature)
    assert found.dtype == tf.float32
    assert found.numpy().tolist() == [[1.0], [2.0]]


def test_by_column_with_a_normalizer():
    column = tf.feature_column.numeric_column("w", normalizer_fn=lambda x: x + 1)
    assert weights(column, [1.0, 2.0]).numpy().tolist() == [[2.0], [3.0]]


def test_by_another_dense_column():
    column = tf.feature_column.indicator_column(
        tf.feature_column.categorical_column_with_identity("w", 3)
    )
    found = weights(column, [[0], [2]], allow_per_logit_weights=True)
    assert found.numpy().tolist() == [[1, 0, 0], [0, 0, 1]]


def test_per_logit_only_where_allowed():
    column = tf.feature_column.numeric_column("w", shape=(3,))
    feature = np.ones([2, 3], "float32")
    assert weights(column, feature, allow_per_logit_weights=True).shape == [2, 3]
    with pytest.raises(ValueError, match=r"weights shape must be \[D0, D1, ... DN\] or"):
        weights(column, feature)


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        (1.0, "cannot have rank 0"),
        (tf.sparse.from_dense([[1.0], [2.0]]), "SparseTensor is not supported"),
        ([1.0, 2.0, 3.0], "weights_shape"),
    ],
)
def test_features_that_are_no_weights(feature, message):
    with pytest.raises(ValueError, match=message):
        weights("w", feature)


def test_missing_feature():
    with pytest.raises(ValueError, match="Feature other is not in features dictionary"):
        weights("other", [1.0, 2.0])


def test_column_of_another_kind():
    with pytest.raises(TypeError, match="must be either a string or NumericColumn"):
        weights(["w"], [1.0, 2.0])


def test_broadcast():
    values = tf.zeros([2, 3])
    assert broadcast_weights(None, values) is None
    assert broadcast_weights(2.0, values).numpy().tolist() == [[2.0] * 3] * 2
    assert broadcast_weights([[1.0], [2.0]], values).numpy().tolist() == [[1.0] * 3, [2.0] * 3]
