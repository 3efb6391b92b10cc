"""Tests for calls of tf.contrib.layers."""

from tests.migrate.rewrite.model_fns import base_program


def test_softmax_has_no_layer():
    softmax = "out = tf.contrib.layers.softmax(tf.layers.dense(net, 2), scope='p')"
    assert ".nn.softmax(self.dense(net))" in base_program.model_class((base_program.OUT, softmax))
    reason = base_program.refusal(base_program.OUT, "out = tf.contrib.layers.softmax(net, axis=1)")
    assert "the softmax in line 7 has unsupported arguments" in reason


def test_dropout_without_a_mode_drops_in_all_modes():
    dropout = "out = tf.layers.dense(tf.contrib.layers.dropout(net, 0.8), 1)"
    text = base_program.model_class((base_program.OUT, dropout))
    assert 'self.dropout = tf_keras.layers.Dropout(rate=0.2, name="dropout")' in text
    assert "self.dropout(net, training=True)" in text


def test_a_computed_probability_needs_no_layer():
    dropout = "out = tf.layers.dense(tf.contrib.layers.dropout(net, params['keep']), 1)"
    text = base_program.model_class((base_program.OUT, dropout))
    assert ".nn.dropout(net, rate=1 - self.params['keep'])" in text
    assert "Dropout" not in text
