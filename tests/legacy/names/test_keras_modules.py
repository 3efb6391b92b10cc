"""Tests of the places of private Keras modules."""

import pytest

from legacy.names import keras_modules
from legacy.shim import modules

KERAS = "tensorflow.python.keras"
NAMES = sorted([f"{KERAS}.{path}".rstrip(".") for path in keras_modules._PATHS])


@pytest.mark.parametrize("api", ["v1", "v2"])
@pytest.mark.parametrize("name", [*NAMES, *sorted(keras_modules._OTHERS)])
def test_the_places_exist(name, api):
    assert keras_modules.is_module(name)
    places = keras_modules.places_of(name, api)
    assert [place for place in places if modules.find_place(place) is None] == []


@pytest.mark.parametrize("name", sorted(keras_modules.RENAMED))
def test_a_renamed_class_exists(name):
    place = keras_modules.RENAMED[name]
    assert "estimator" in place or modules.find_place(place) is not None


@pytest.mark.parametrize("name", [f"{KERAS}.no_such", "tensorflow.python.kerasx", "tf_keras"])
def test_other_modules(name):
    assert not keras_modules.is_module(name)


def test_a_module_of_layers_finds_classes_that_moved():
    core = modules.Served(
        f"{KERAS}.layers.core", keras_modules.places_of(f"{KERAS}.layers.core", "v1")
    )
    import tf_keras

    assert core.Dense is tf_keras.layers.Dense
    assert core.Flatten is tf_keras.layers.Flatten
