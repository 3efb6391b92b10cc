"""Tests of the variables and outputs that layers collect."""

import pytest
import tensorflow as tf

from legacy.contrib.layers import scopes

tf1 = tf.compat.v1


def test_variables_have_the_names_of_contrib(session):
    getter = scopes.getter(scopes.WEIGHTS)
    with tf1.variable_scope("Conv", custom_getter=getter) as opened:
        layer = tf1.layers.Dense(2, name="Conv", _scope=opened)
        scopes.use_layer(layer, tf.ones([1, 3]), scopes.WEIGHTS, {"biases": ["mine", "mine"]})
    assert [v.op.name for v in tf1.model_variables()] == ["Conv/weights", "Conv/biases"]
    assert [v.op.name for v in tf1.get_collection("mine")] == ["Conv/biases"]
    scopes.collect(layer, scopes.WEIGHTS, ["mine"])
    assert len(tf1.get_collection("mine")) == 2


@pytest.mark.usefixtures("session")
def test_the_activated_output_is_collected_under_its_scope():
    outputs = scopes.finish("net/Conv/", tf.constant([-1.0]), tf.nn.relu, "end_points")
    assert outputs.op.type == "Relu"
    assert outputs.aliases == ["net/Conv"]
    assert tf1.get_collection("end_points") == [outputs]


def test_formats():
    found = [scopes.keras_format(name) for name in (None, "NHWC", "NCHW", "NCDHW")]
    assert found == ["channels_last"] * 2 + ["channels_first"] * 2
    with pytest.raises(ValueError, match="either NCHW or NHWC, not 'NWC'"):
        scopes.check_format("NWC")
