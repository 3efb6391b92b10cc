"""Tests of linear models of the v1 API."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator
from tests.legacy.estimator.canned import models

tf1 = tf.compat.v1


def test_training_and_slots(tmp_path):
    columns = [models.number(), models.word()]
    model = estimator.LinearRegressor(columns, str(tmp_path)).train(models.input_fn, steps=3)
    slots = [name for name in model.get_variable_names() if "word" in name]
    weights = "linear/linear_model/word/weights"
    assert slots == [weights, f"{weights}/part_0/Ftrl", f"{weights}/part_0/Ftrl_1"]
    expected = models.linear_logits(models.checkpoint(model.model_dir))
    for logits, prediction in zip(expected, model.predict(models.input_fn), strict=False):
        np.testing.assert_allclose(prediction["predictions"], logits, rtol=1e-5)


def test_a_logit_function_in_a_scope_of_ones_own():
    build = estimator.experimental.linear_logit_fn_builder(2, [models.number()])
    with tf.Graph().as_default() as graph:
        with tf1.variable_scope("mine"):
            logits = build({"x": tf.ones([4, 2])})
        assert logits.shape.as_list() == [4, 2]
        assert [v.name for v in tf1.trainable_variables()] == [
            "mine/linear_model/x/weights:0",
            "mine/linear_model/bias_weights:0",
        ]
        summaries = {op.name for op in graph.get_operations() if op.type.endswith("Summary")}
        assert summaries == {"mine/bias", "mine/fraction_of_zero_weights"}


@pytest.mark.filterwarnings("ignore:`layer.add_variable`:UserWarning")  # From TensorFlow itself.
def test_v1_columns():
    with tf.Graph().as_default():
        columns = tf1.feature_column.shared_embedding_columns([models.word()], 2)
        build = estimator.experimental.linear_logit_fn_builder(1, columns)
        with tf1.variable_scope("linear"):
            build({"word": tf.constant([["a"]])})
        assert [v.name for v in tf1.trainable_variables()] == [
            "linear/linear_model/word_shared_embedding/weights:0",
            "linear/linear_model/word_shared_embedding/embedding_weights:0",
            "linear/linear_model/bias_weights:0",
        ]
