"""Tests for variables that __init__ makes."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (
            "for i in range(2):\n        net = net * tf.get_variable('w', [1])\n    out = net",
            "the name of the variable",
        ),
        ("out = net * tf.get_variable(features.name, [1])", "depends on features"),
        ("out = net * tf.get_variable('w')", "unsupported arguments"),
        ("out = net * tf.get_variable('w', [1], caching_device='x')", "unsupported arguments"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)


def test_a_variable_becomes_a_weight():
    variable = "out = net * tf.get_variable('w', [1])"
    text = base_program.model_class((base_program.OUT, variable))
    assert 'self.w = self.add_weight(name="w", shape=[1])' in text
    assert "out = net * self.w" in text


def test_the_shape_of_a_variable_may_come_from_a_tensor():
    variable = "out = net * tf.get_variable('w', [net.shape[-1]])"
    text = base_program.model_class((base_program.OUT, variable))
    assert "self.w = porting.Weight(" in text
    assert "out = net * self.w.of_shape([net.shape[-1]])" in text
