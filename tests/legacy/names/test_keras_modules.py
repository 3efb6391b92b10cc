"""Tests of the places of private Keras modules."""

import importlib
import types

import pytest

from legacy import keras_choice
from legacy.names import keras_modules
from legacy.shim import modules

keras_choice.use_legacy_keras()  # As every program does that sees these modules.
KERAS = "tensorflow.python.keras"
# Modules of the public API, below `tf.keras` of each version.
PUBLIC_MODULES = [
    *("applications.resnet50", "applications.vgg16", "datasets.mnist", "layers"),
    *("preprocessing.image", "preprocessing.sequence", "preprocessing.text", "saving", "utils"),
]
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


@pytest.mark.parametrize(
    "name",
    [
        *(f"{KERAS}.api.keras.layers.Dense", f"{KERAS}.no_such"),
        *("tensorflow.python.kerasx", "tf_keras"),
    ],
)
def test_other_modules(name):
    assert not keras_modules.is_module(name)


def test_a_module_of_layers_finds_classes_that_moved():
    core = modules.Served(
        f"{KERAS}.layers.core", keras_modules.places_of(f"{KERAS}.layers.core", "v1")
    )
    import tf_keras

    assert core.Dense is tf_keras.layers.Dense
    assert core.Flatten is tf_keras.layers.Flatten


@pytest.mark.parametrize("api", ["v1", "v2"])
@pytest.mark.parametrize("path", PUBLIC_MODULES)
def test_a_module_has_the_names_of_the_public_module_of_its_path(path, api):
    public = importlib.import_module(f"tf_keras.api._{api}.keras.{path}")
    served = modules.Served(f"{KERAS}.{path}", keras_modules.places_of(f"{KERAS}.{path}", api))
    names = {
        name for name, value in vars(public).items() if not isinstance(value, types.ModuleType)
    }
    names = {name for name in names if not name.startswith("_")}
    assert {name for name in names if getattr(served, name) is not getattr(public, name)} == set()


@pytest.mark.parametrize("path", ["_v1.keras", "_v2.keras", "keras"])
def test_the_private_form_of_the_api_has_classes(path):
    name = f"{KERAS}.api.{path}.layers"
    assert keras_modules.is_module(name)
    served = modules.Served(name, keras_modules.places_of(name, "v1"))
    assert isinstance(served.Dense, type)
