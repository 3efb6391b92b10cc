"""Tests of summaries of tensors and collections."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def scalars(session):
    text = session.run(tf1.summary.merge_all())
    return {
        value.tag: value.simple_value
        for value in tf1.Summary.FromString(text).value
        if not value.HasField("histo")
    }


def test_the_shares_that_an_activation_clips(session):
    inputs = tf.constant([-1.0, 2.0, 7.0, 8.0])
    layers.summarize_activation(tf.nn.relu6(inputs, name="clip"))
    assert scalars(session) == {"clip/zeros": 0.25, "clip/sixes": 0.5}


def test_a_collection_is_summarized_by_names(session):
    for name in ("a/x", "b/x"):
        tf1.get_variable(name, initializer=3.0)
    assert len(layers.summarize_collection(tf1.GraphKeys.GLOBAL_VARIABLES, "b")) == 1
    session.run(tf1.global_variables_initializer())
    assert scalars(session) == {"b/x_summary": 3.0}


@pytest.mark.usefixtures("session")
def test_texts_have_no_summary():
    assert layers.summarize_tensors([tf.constant("a"), tf.constant(True)]) == [None, None]
