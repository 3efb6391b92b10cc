"""Tests of models of feature columns: logits, names of variables, and sparse features."""

import numpy as np
import pytest
import tensorflow as tf

from modern.porting import column_models

column = tf.feature_column
NUMBER = column.numeric_column("a")
BUCKETS = column.bucketized_column(NUMBER, [1.0, 2.0])
WORD = column.categorical_column_with_vocabulary_list("w", ["x", "y"])
DENSE = {"a": tf.constant([0.5, 3.0]), "w": tf.constant(["y", "?"])}
SPARSE = {"a": tf.constant([[0.5], [3.0]]), "w": tf.sparse.from_dense([["y", ""], ["x", "y"]])}


def test_variables_exist_from_the_start_with_the_names_of_an_estimator():
    wide = column_models.Linear([WORD, BUCKETS])
    deep = column_models.Deep([column.embedding_column(WORD, 2), NUMBER], [3], batch_norm=True)
    names = [one.name for one in column_models.WideAndDeep(wide, deep).trainable_variables]
    assert names == [
        "linear/linear_model/a_bucketized/weights:0",
        "linear/linear_model/w/weights:0",
        "linear/linear_model/bias_weights:0",
        "dnn/input_from_feature_columns/input_layer/w_embedding/embedding_weights:0",
        "dnn/hiddenlayer_0/kernel:0",
        "dnn/hiddenlayer_0/bias:0",
        "dnn/hiddenlayer_0/batchnorm_0/gamma:0",
        "dnn/hiddenlayer_0/batchnorm_0/beta:0",
        "dnn/logits/kernel:0",
        "dnn/logits/bias:0",
    ]


@pytest.mark.parametrize(
    ("features", "combiner", "expected"),
    [
        (DENSE, "sum", [[2.5], [9.0]]),
        (SPARSE, "sum", [[2.5], [12.0]]),
        (SPARSE, "mean", [[2.5], [10.5]]),
    ],
)
def test_a_linear_model_adds_up_weights(features, combiner, expected):
    model = column_models.Linear([NUMBER, WORD, BUCKETS], sparse_combiner=combiner)
    numbers, buckets, words, _ = model.trainable_variables
    numbers.assign([[1.0]])
    buckets.assign([[0.0], [5.0], [6.0]])
    words.assign([[1.0], [2.0]])
    np.testing.assert_allclose(tf.function(model)(features), expected)


def test_columns_are_concatenated_in_the_order_of_their_names():
    columns = {column.indicator_column(WORD), NUMBER, BUCKETS}  # A set has no order.
    model = column_models.Deep(columns, [], units=6, activation=None)
    kernel, _ = model.trainable_variables
    kernel.assign(np.eye(6))
    np.testing.assert_allclose(model(DENSE), [[0.5, 1, 0, 0, 0, 1], [3, 0, 0, 1, 0, 0]])


def test_dropout_is_for_training():
    model = column_models.Deep([NUMBER], [50], dropout=0.5)
    assert np.ptp(model({"a": tf.ones(20)}).numpy()) == 0
    assert np.ptp(model({"a": tf.ones(20)}, training=True).numpy()) > 0


def test_a_column_alone_is_no_list():
    assert len(column_models.Linear(NUMBER).trainable_variables) == 2


def test_two_columns_of_a_name_are_an_error():
    with pytest.raises(ValueError, match="Two columns have the name 'a'"):
        column_models.Linear([NUMBER, NUMBER])


def test_a_feature_may_have_any_name():
    model = column_models.Linear([column.numeric_column("hours per week")])
    assert model.trainable_variables[0].name == "linear/linear_model/hours_per_week/weights:0"
    assert tf.function(model)({"hours per week": tf.ones(2)}).shape == [2, 1]
