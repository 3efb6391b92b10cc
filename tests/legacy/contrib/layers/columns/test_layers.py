"""Tests of layers that use feature columns. The oracle compares all columns."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1
WORDS = layers.sparse_column_with_keys("word", ["a", "b"])
AGE = layers.real_valued_column("age")


def features():
    words = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "b"], [2, 2])
    return {"word": words, "age": tf.constant([[10.0], [20.0]])}


def run(session, outputs, values):
    """Returns the outputs after variables are set to values by a part of their names."""
    session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
    for part, value in values.items():
        (variable,) = (v for v in tf1.global_variables() if part in v.op.name)
        variable.load(value, session)
    return session.run(outputs).tolist()


def test_a_linear_model_has_a_variable_for_each_column(session):
    outputs, variables, bias = layers.weighted_sum_from_feature_columns(features(), [WORDS, AGE], 1)
    assert {column.name for column in variables} == {"word", "age"}
    assert bias.op.name == "weighted_sum_from_feature_columns/bias_weight"
    values = {"word/weights": [[1.0], [2.0]], "age/weight": [[0.5]], "bias_weight": [100.0]}
    assert run(session, outputs, values) == [[108.0], [112.0]]


def test_a_joint_model_has_one_variable(session):
    ages = layers.bucketized_column(AGE, [15.0])
    outputs, (weights,), _ = layers.joint_weighted_sum_from_feature_columns(
        features(), [WORDS, ages], 1
    )
    assert weights.shape == [4, 1]
    assert run(session, outputs, {"linear_weights": [[1.0]] * 4}) == [[3.0], [2.0]]
    with pytest.raises(NotImplementedError, match="Real-valued columns are not supported"):
        layers.joint_weighted_sum_from_feature_columns(features(), [WORDS, AGE], 1)


def test_the_output_of_each_column(session):
    by_column = {}
    one_hot = layers.one_hot_column(WORDS)
    outputs = layers.input_from_feature_columns(features(), [one_hot, AGE], cols_to_outs=by_column)
    # Columns are sorted by key, and "_OneHotColumn" comes before "_RealValuedColumn".
    assert run(session, outputs, {}) == [[1.0, 1.0, 10.0], [0.0, 1.0, 20.0]]
    assert session.run(by_column[AGE]).tolist() == [[10.0], [20.0]]


@pytest.mark.usefixtures("session")
def test_what_a_layer_does_not_support():
    with pytest.raises(ValueError, match="Error creating input layer for column: word"):
        layers.input_from_feature_columns(features(), [WORDS])
    with pytest.raises(ValueError, match="Error creating weighted sum for column: word_embedding"):
        layers.weighted_sum_from_feature_columns(features(), [layers.embedding_column(WORDS, 2)], 1)
    with pytest.raises(ValueError, match="not currently supported for sequence data"):
        layers.sequence_input_from_feature_columns(features(), [WORDS])
