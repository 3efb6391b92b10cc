"""Tests for names of attributes."""

import inspect

import pytest
import tf_keras

from migrate.rewrite.model_fns.layers import naming


@pytest.mark.parametrize(
    ("name", "used_names", "expected"),
    [
        ("dense", (), "dense"),
        ("dense", ("dense", "dense_1"), "dense_2"),
        ("layers", ("layers_layer",), "layers_layer_1"),
        ("class", (), "class_layer"),
        ("block/1", (), "block_1"),
        ("1x1", (), "layer_1x1"),
    ],
)
def test_a_free_name(name, used_names, expected):
    assert naming.free(name, used_names) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("size", "size"), ("layers", "layers_"), ("params", "params")]
)
def test_a_parameter_hides_no_attribute_of_a_model(name, expected):
    assert naming.stored(name) == expected


def test_no_attribute_of_a_model_is_free():
    public = {name for name, _ in inspect.getmembers(tf_keras.Model) if not name.startswith("_")}
    assert [name for name in sorted(public) if not naming.is_taken(name)] == []


@pytest.mark.parametrize("name", ["Dense", "Conv2D", "MaxPooling2D", "BatchNormalization", "LSTM"])
def test_a_class_has_the_name_that_keras_gives_its_layers(name):
    cls = getattr(tf_keras.layers, name)
    tf_keras.backend.clear_session()
    arguments = {"Conv2D": (1, 1), "Dense": (1,), "LSTM": (1,)}
    assert cls(*arguments.get(name, ())).name == naming.snake(name)
