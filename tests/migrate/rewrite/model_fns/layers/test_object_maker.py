"""Tests for objects that __init__ makes."""

from tests.migrate.rewrite.model_fns import base_program


def test_the_size_of_a_layer_may_come_from_a_shape():
    layer = "out = tf.layers.conv1d(net, net.shape[-1], 3, name='a')"
    text = base_program.model_class((base_program.OUT, layer))
    assert 'porting.SizedLayer(tf_keras.layers.Conv1D, kernel_size=3, name="a")' in text
    assert "self.a.of_size(net.shape[-1])(net)" in text


def test_attributes_have_names_of_their_own():
    layers = (
        "net = tf.layers.dense(net, 2, name='a')\n    out = tf.layers.dense(net, 1, name='call')"
    )
    text = base_program.model_class((base_program.OUT, layers))
    assert "self.a = tf_keras.layers.Dense(2" in text
    assert "self.call = " not in text


def test_an_argument_that_only_the_call_knows_is_left_to_the_bridge():
    reason = base_program.refusal(base_program.OUT, "out = tf.layers.dense(net, 1, features)")
    assert "depends on features" in reason
