"""Finds the place of old TensorFlow names in `legacy` and TensorFlow, without importing either.

>>> home("tensorflow.contrib.layers.l2_regularizer", "v1")
'legacy.contrib.layers.l2_regularizer'
>>> home("tensorflow.estimator.ModeKeys.TRAIN", "v1")
'legacy.compat.v1.estimator.ModeKeys.TRAIN'
>>> home("tensorflow.placeholder", "v1")
'tensorflow.compat.v1.placeholder'

The tables are those that `legacy.run` uses to serve a program. The names that they point to are
looked up in the source of `legacy`.
"""

from __future__ import annotations

import functools

from legacy.names import contrib_aliases, left_out, tables
from migrate.rewrite.names import keras_places, symbol_index

_KERAS_CONVERTER = "tensorflow.keras.estimator.model_to_estimator"
# Packages that are not in tf.compat.v1, unlike all other names of `tf` in TensorFlow 1.
_OUTSIDE_COMPAT = ("tensorflow.core", "tensorflow.python", "tensorflow.tools")
_PYWRAP = "tensorflow.pywrap_tensorflow"
_PUBLIC_ESTIMATORS = ("legacy.compat.v1.estimator", "legacy.estimator")
_PARTS = ("legacy.contrib", *_PUBLIC_ESTIMATORS)
_PARTIAL = "tf.tpu.experimental"  # Listed as left out, though TensorFlow has some of it.
# Names that existing private modules of TensorFlow no longer have: the names of `tables.COMPLETED`
# that programs use, and that TensorFlow 2.16 to 2.21 lack.
_REMOVED_NAMES = {
    "tensorflow.python.framework.ops": (
        "GraphKeys add_to_collection add_to_collections get_collection get_collection_ref "
        "IndexedSlices Tensor disable_eager_execution"
    ),
    "tensorflow.python.ops.control_flow_ops": "cond while_loop Assert",
    "tensorflow.python.ops.math_ops": "arg_max arg_min",
    "tensorflow.python.util.nest": "is_sequence",
}


@functools.cache
def home(name: str, api: str) -> str | None:
    """Returns the full name of a symbol today.

    Args:
      name: Its old full name, such as "tensorflow.contrib.layers.l2_regularizer". May be a module.
      api: API that the program is written for, "v1" or "v2".

    Returns:
      The full name, unchanged if it is still valid. None if nothing provides it.
    """
    name, name_api = _plain(name, api)
    if _is_at(name, _PYWRAP) and name_api == "v1":
        name = name.replace(_PYWRAP, "tensorflow.python.pywrap_tensorflow", 1)
    if _is_at(name, "tensorflow.estimator"):
        return _of_estimator(name.removeprefix("tensorflow.estimator"), name_api)
    if _is_at(name, _KERAS_CONVERTER):
        converter = "model_to_estimator" if name_api == "v1" else "model_to_estimator_v2"
        return f"legacy.estimator.keras.keras_model.{converter}"
    head = name.partition(".")[0]
    if head == "tensorflow_estimator" or _is_at(name, "tensorflow.contrib"):
        return _removed_module_home(name, name_api)
    if _is_at(name, "tensorflow.examples") or _is_in_removed_module(name):
        return _removed_module_home(name, name_api)
    if head != "tensorflow" or any(_is_at(name, package) for package in _OUTSIDE_COMPAT):
        of_keras = keras_places.home(name, name_api)
        if of_keras is not None and of_keras.startswith("tensorflow."):
            return home(of_keras, api)
        return of_keras or _lost_home(name, api) or name
    public = left_out.public_name(name)
    if left_out.reason_for(public) and not _is_at(public, _PARTIAL):
        return None
    return _base(name_api) + name.removeprefix("tensorflow")


def places_of_module(name: str, api: str) -> list[str]:
    """Returns the modules that now hold the names of a removed module. Empty for other modules.

    Args:
      name: Full name of the module.
      api: API that the program is written for, "v1" or "v2".
    """
    if not tables.is_module(name) or home(name, api) is None:
        return []
    places = [_place(place, api) for place in tables.places_of(name, api)]
    return [place for place in places if _exists(place)]


def has(place: str, name: str) -> bool:
    """Says whether a place of `places_of_module` has a name."""
    return _has(place, name)


def lacks(name: str) -> bool:
    """Says whether a full name in `legacy` does not exist there.

    >>> lacks("legacy.contrib.rnn.Nothing"), lacks("legacy.contrib.rnn.LSTMCell.call")
    (True, False)

    Args:
      name: The full name.
    """
    parts = name.split(".")
    of_programs = any(name.startswith(f"{part}.") for part in _PARTS)
    if not of_programs or symbol_index.is_module(name):
        return False
    depth = max(n for n in range(1, len(parts)) if symbol_index.is_module(".".join(parts[:n])))
    module, attribute = ".".join(parts[:depth]), parts[depth]
    return not attribute.startswith("_") and not symbol_index.has(module, attribute)


def constant(name: str) -> str | None:
    """Returns the source of a constant that only private modules of the original had.

    Args:
      name: Full name, such as "tensorflow.python.estimator.model_fn.LOSS_METRIC_KEY".
    """
    module, _, attribute = name.rpartition(".")
    constants = tables.constants_of(module) if "estimator" in module else {}
    return (
        repr(constants[attribute])
        if isinstance(constants.get(attribute), (str, int, float))
        else None
    )


def _base(api: str) -> str:
    return {"v1": "tensorflow.compat.v1", "v2": "tensorflow", "compat.v2": "tensorflow.compat.v2"}[
        api
    ]


def _plain(name: str, api: str) -> tuple[str, str]:
    """Splits the API from a name: that of the program, or the one in the name itself."""
    while name.startswith(("tensorflow.compat.v1.compat.v1", "tensorflow.compat.v1.compat.v2")):
        name = "tensorflow.compat" + name.removeprefix("tensorflow.compat.v1.compat")
    for prefix, prefix_api in (
        ("tensorflow.compat.v1", "v1"),
        ("tensorflow.compat.v2", "compat.v2"),
    ):
        if _is_at(name, prefix):
            return "tensorflow" + name.removeprefix(prefix), prefix_api
    return name, api


def _is_at(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _of_estimator(suffix: str, api: str) -> str | None:
    place = "legacy.compat.v1.estimator" if api == "v1" else "legacy.estimator"
    name = suffix.removeprefix(".").partition(".")[0]
    if name and not symbol_index.has(place, name):
        return None
    parts = suffix.split(".")
    if len(parts) > 2 and not _has(f"{place}.{name}", parts[2]):
        return None
    return place + suffix


def _is_in_removed_module(name: str) -> bool:
    """Says whether a name was in a private module that TensorFlow has removed."""
    parts = name.split(".")
    return parts[:2] == ["tensorflow", "python"] and any(
        tables.is_module(".".join(parts[:n])) for n in range(3, len(parts) + 1)
    )


def _lost_home(name: str, api: str) -> str | None:
    """Returns the public place of a name that a private module of TensorFlow no longer has."""
    module, _, attribute = name.rpartition(".")
    while module.count(".") > 1:
        place, names = tables.V1_FORMS.get(module, ("", frozenset()))
        if api == "v1" and attribute.partition(".")[0] in names:
            return f"{_place(place, api)}.{attribute}"
        renamed = tables.RENAMED.get(f"{module}.{attribute.partition('.')[0]}")
        is_lost = attribute.partition(".")[0] in _REMOVED_NAMES.get(module, "").split()
        if renamed or is_lost:
            place = renamed or f"{tables.COMPLETED[module][0]}.{attribute.partition('.')[0]}"
            rest = attribute.partition(".")[2]
            place = _place(place, api)
            return f"{place}.{rest}" if rest else place
        module, _, leaf = module.rpartition(".")
        attribute = f"{leaf}.{attribute}"
    return None


def _removed_module_home(name: str, api: str) -> str | None:
    """Returns the place of a name from a removed module: its longest prefix that is a module."""
    if api != "v1" and name.startswith(("tensorflow.contrib", "tensorflow.examples")):
        return None
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(parts[:count])
        if not tables.is_module(module) or _is_item(module):
            continue
        if module in left_out.rows():
            return None
        place = _in_module(module, parts[count:], api)
        if place:
            return place
        if count < len(parts) and count > 1:
            # Only the module itself can have the name. Its parent packages cannot.
            return None
    return None


def _is_item(name: str) -> bool:
    """Says whether the tables list a path of tf.contrib as an item of a module."""
    alias = name.removeprefix("tensorflow.contrib.")
    return ":" in contrib_aliases.ALIASES.get(alias, "")


def _in_module(module: str, rest: list[str], api: str) -> str | None:
    places = [_place(place, api) for place in tables.places_of(module, api)]
    if not rest:
        return next((place for place in places if _exists(place)), None)
    name = rest[0]
    candidates = [(place, name) for place in places]
    if name.startswith("_"):
        candidates += [(place, name.lstrip("_")) for place in places]
    renamed = tables.RENAMED.get(f"{tables.today(module)}.{name}")
    if renamed:
        owner, _, attribute = _place(renamed, api).rpartition(".")
        candidates.insert(0, (owner, attribute))
    for suffix in ("V2", "_v2"):
        if name.endswith(suffix):
            candidates.append(("legacy.estimator", name.removesuffix(suffix)))
    for place, attribute in candidates:
        if _has(place, attribute):
            full_name = f"{_public_place(place, attribute, places)}.{attribute}"
            attributes = rest[1:]
            if (
                attributes
                and symbol_index.is_module(full_name)
                and not _has(full_name, attributes[0])
            ):
                continue
            return ".".join([full_name, *attributes])
    return None


def _public_place(place: str, name: str, places: list[str]) -> str:
    """Returns the public place among those that have the same object under a name."""
    for public in _PUBLIC_ESTIMATORS:
        has_it = place.startswith("legacy.") and public in places and symbol_index.has(public, name)
        if has_it and symbol_index.origin(public, name) == symbol_index.origin(place, name):
            return public
    return place


def _place(place: str, api: str) -> str:
    """Returns the full name for a row of the tables."""
    if not place.startswith("tf."):
        return place
    if place.startswith("tf.compat."):
        return f"tensorflow{place.removeprefix('tf')}"
    return _base(api) + place.removeprefix("tf")


def _exists(place: str) -> bool:
    if not place.startswith("legacy."):
        return place.startswith("tensorflow.")
    owner, _, name = place.rpartition(".")
    return symbol_index.is_module(place) or (
        symbol_index.is_module(owner) and symbol_index.has(owner, name)
    )


def _has(place: str, name: str) -> bool:
    if place.startswith("tensorflow."):
        return True
    if not symbol_index.is_module(place):
        # compat.v1.estimator shares the submodules of legacy.estimator.
        shared = place.replace("legacy.compat.v1.estimator", "legacy.estimator", 1)
        place = shared if symbol_index.is_module(shared) else place
    if symbol_index.is_module(place):
        return symbol_index.has(place, name) or (name.startswith("__") and name.endswith("__"))
    return _exists(place)  # A class. Its attributes are not checked.
