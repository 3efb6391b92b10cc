"""Tests for Keras models and layers that a model_fn assigns to names."""

from tests.migrate.rewrite.model_fns import base_program


def test_a_name_of_two_layers_is_left_to_the_bridge():
    reason = base_program.refusal(
        base_program.OUT,
        "part = tf.keras.layers.Dense(1)\n    net = part(net)\n"
        "    part = tf.keras.layers.Dense(2)\n    out = part(net)",
    )
    assert "more than once" in reason


def test_a_named_layer_becomes_an_attribute():
    text = base_program.model_class(
        (base_program.OUT, "part = tf.keras.layers.Dense(1)\n    out = part(part(net))")
    )
    assert "self.part = tf.keras.layers.Dense(1)" in text
    assert "out = self.part(self.part(net))" in text
