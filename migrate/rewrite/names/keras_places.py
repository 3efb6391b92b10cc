"""Finds the place of names of TensorFlow's private Keras, `tensorflow.python.keras`, in tf-keras.

>>> home("tensorflow.python.keras.layers.Dropout", "v1")
'tensorflow.compat.v1.keras.layers.Dropout'
>>> home("tensorflow.python.keras.engine.base_layer.Layer", "v1")
'tensorflow.compat.v1.keras.layers.Layer'

Today's TensorFlow keeps an old copy of that package. Its layers do not know whether an Estimator
trains: for example, its Dropout drops nothing. So a program that would run with this copy is
rewritten, as `legacy.run` gives it the classes of tf-keras.
"""

from __future__ import annotations

import functools

from legacy.names import keras_modules
from migrate.rewrite.names import symbol_index

_V2_API = "tensorflow.python.keras.api._v2"
_PACKAGES = ("tensorflow.python.keras", "tensorflow.python.layers", "tensorflow.python.ops.rnn")


@functools.cache
def home(name: str, api: str) -> str | None:
    """Returns the full name of a private Keras name today.

    Args:
      name: Its old full name. May be a module.
      api: API that the program is written for, "v1" or "v2".

    Returns:
      The full name. None for other names, and for a name that tf-keras lacks.
    """
    if not name.startswith(_PACKAGES):
        return None
    parts = name.split(".")
    for count in range(len(parts), 2, -1):
        module = ".".join(parts[:count])
        if keras_modules.is_module(module):
            full_name = _in_module(module, parts[count:], api)
            if full_name and api == "v1" and module.startswith(_V2_API):
                return full_name.replace("tensorflow.keras", "tensorflow.compat.v2.keras", 1)
            return full_name
    return None


def _in_module(module: str, rest: list[str], api: str) -> str | None:
    places = keras_modules.places_of(module, api)
    if not rest:
        return next(
            (_full_name(place) for place in places if symbol_index.is_module(_file(place))), None
        )
    renamed = keras_modules.RENAMED.get(f"{module}.{rest[0]}")
    if renamed:
        return ".".join([_full_name(renamed), *rest[1:]])
    for place in places:
        if symbol_index.has(_file(place), rest[0]):
            return ".".join([_full_name(_public(place, rest[0])), *rest])
    return None


def _public(place: str, name: str) -> str:
    """Returns the public package that has the same object as a place. The place, if none has it."""
    if not place.startswith("tf_keras.src"):
        return place
    origin = symbol_index.origin(place, name)
    for package in keras_modules.PUBLIC:
        public = f"tf.compat.v1.keras.{package}".rstrip(".")
        file = _file(public)
        if symbol_index.has(file, name) and symbol_index.origin(file, name) == origin:
            return public
    return place


def _file(place: str) -> str:
    """Returns the module of tf-keras whose file has the names of a place."""
    return place.replace("tf.compat.v1.keras", "tf_keras.api._v1.keras", 1)


def _full_name(place: str) -> str:
    """Returns the full name for a place. Public names are those of TensorFlow."""
    if place.startswith("tf."):
        return f"tensorflow{place.removeprefix('tf')}"
    is_private = place.startswith("tf_keras.src")
    return place if is_private else place.replace("tf_keras", "tensorflow.keras", 1)
