"""Test of arguments that only TensorFlow 1 had."""

import pytest

from legacy.names import v1_only


@pytest.mark.parametrize(
    ("name", "function", "expected"),
    [
        ("keep_dims", "any.function", True),
        ("dim", "tf.compat.v1.expand_dims", True),
        ("dim", "tf.concat", False),
        ("squeeze_dims", "tensorflow.*.tf.squeeze", True),
        ("axis", "tf.squeeze", False),
    ],
)
def test_an_argument_belongs_to_functions(name, function, expected):
    assert v1_only.is_argument(name, function) is expected
