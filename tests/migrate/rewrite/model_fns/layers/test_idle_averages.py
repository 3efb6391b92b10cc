"""Tests for the arguments of batch normalization whose averages never change."""

import pytest

from migrate.rewrite.model_fns.layers import idle_averages
from migrate.rewrite.model_fns.layers.object_maker import Object

NORMALIZATION = "tf_keras.layers.BatchNormalization"


@pytest.mark.parametrize(
    ("parts", "arguments"),
    [
        ((), ("momentum=1.0",)),
        (("momentum=0.9", "axis=1"), ("axis=1", "momentum=1.0")),
        (("-1", "0.9", "name='a'"), ("-1", "1.0", "name='a'")),
        (("1 == 2",), ("1 == 2", "momentum=1.0")),
    ],
)
def test_a_momentum_of_one_keeps_the_averages(parts, arguments):
    item = Object("norm", NORMALIZATION, parts, None, ())
    item = idle_averages.without_updates(item)
    assert idle_averages.arguments(item) == arguments
    assert "Nothing ran UPDATE_OPS" in idle_averages.comment(item)


def test_other_layers_stay():
    item = Object("dense", "tf_keras.layers.Dense", ("3",), None, ())
    item = idle_averages.without_updates(item)
    assert idle_averages.arguments(item) == ("3",)
    assert not idle_averages.comment(item)
