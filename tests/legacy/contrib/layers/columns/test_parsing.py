"""Tests of parsing examples by feature columns."""

import pytest
import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.layers.columns import parsing

WORDS = layers.sparse_column_with_integerized_feature("word", 10)
AGE = layers.real_valued_column("age", 2, default_value=[0.0, 1.0])


def example(**features):
    made = tf.train.Example()
    for name, values in features.items():
        kind = "int64_list" if isinstance(values[0], int) else "float_list"
        getattr(made.features.feature[name], kind).value.extend(values)
    return made.SerializeToString()


def test_examples_are_parsed_and_transformed():
    serialized = tf.constant([example(age=[3.0, 4.0], word=[12, 3]), example(word=[1])])
    found = layers.parse_feature_columns_from_examples(serialized, [WORDS, AGE])
    assert found["age"].numpy().tolist() == found[AGE].numpy().tolist() == [[3.0, 4.0], [0.0, 1.0]]
    assert found["word"].values.numpy().tolist() == [12, 3, 1]
    assert found[WORDS].values.numpy().tolist() == [2, 3, 1]


def test_placeholders_for_features():
    with tf.Graph().as_default():
        found = layers.make_place_holder_tensors_for_base_features([WORDS, AGE])
    assert isinstance(found["word"], tf.SparseTensor)
    assert (found["age"].shape.as_list(), found["age"].op.name) == ([None, 2], "Placeholder_age")


def test_columns_of_numbers_are_inferred():
    (column,) = layers.infer_real_valued_columns(tf.zeros([5, 2, 3], tf.int32))
    assert (column.name, column.dimension, column.dtype) == ("", 6, tf.int32)
    with pytest.raises(ValueError, match="Non integer or non floating types"):
        layers.infer_real_valued_columns({"x": tf.constant(["a"])})


def test_what_is_refused():
    with pytest.raises(ValueError, match="Duplicate feature column key found for column: age"):
        parsing.check_feature_columns([AGE, layers.real_valued_column("age", 2, [0.0, 1.0])])
    with pytest.raises(TypeError, match="should only contain instances of _FeatureColumn"):
        layers.create_feature_spec_for_parsing(["age"])
