"""Completes private modules of TensorFlow that still exist, but lack names or have other classes.

    from legacy.shim import private_modules

    private_modules.show_all("v1")      # those that are loaded
    if private_modules.differs(name):   # one that is imported later
        private_modules.show(module, "v1")

Programs import them although they are private, as in `from tensorflow.python.keras import layers`.
"""

from __future__ import annotations

import functools
import sys
import types

from legacy.names import keras_modules, private_forms, tables
from legacy.shim import modules, two_sided


def differs(name: str) -> bool:
    """Returns whether the program sees a private module otherwise than libraries.

    Args:
      name: Full name of the module.
    """
    return (
        name in tables.COMPLETED
        or name in tables.V1_FORMS
        or name in private_forms.OF_MODULE
        or keras_modules.is_module(name)
    )


def show_all(api: str) -> None:
    """Shows the program all such modules that are loaded.

    Args:
      api: The API that the program is written for, "v1" or "v2".
    """
    for name in filter(differs, list(sys.modules)):
        show(sys.modules[name], api)


def show(module: types.ModuleType, api: str) -> None:
    """Shows the program a private module as it was. Works in place, and only once.

    Args:
      module: The module.
      api: The API that the program is written for, "v1" or "v2".
    """
    if type(module) is not types.ModuleType:
        return
    name = module.__name__
    if name in tables.COMPLETED:
        module_of_names = modules.Served(name, tables.COMPLETED[name])
        vars(module).setdefault("__getattr__", module_of_names.__getattr__)
    if keras_modules.is_module(name):
        # The old copy is the last place: a helper function that tf-keras lacks works there.
        places = (*keras_modules.places_of(name, api), name)
        two_sided.make(module, modules.Served(name, places))
    elif api == "v1" and _places(name):
        forms = {
            attribute: modules.Later(functools.partial(modules.find_place, place))
            for attribute, place in _places(name).items()
        }
        two_sided.make(module, modules.View(name, module, forms, "v1"), frozenset(forms))


def _places(name: str) -> dict[str, str]:
    """Returns the places of the names that a program of TensorFlow 1 sees in another form."""
    place, names = tables.V1_FORMS.get(name, ("", frozenset()))
    return {attribute: f"{place}.{attribute}" for attribute in names} | private_forms.OF_MODULE.get(
        name, {}
    )


def removed_module(name: str, api: str) -> types.ModuleType | None:
    """Returns a private Keras module that TensorFlow has removed. None for any other module.

    Args:
      name: Full name of the module.
      api: The API that the program is written for, "v1" or "v2".
    """
    if not keras_modules.is_module(name):
        return None
    return modules.Served(name, keras_modules.places_of(name, api))


def hide_all() -> None:
    """Reverts `show_all` and `show`, except for the names that were added."""
    for name in filter(differs, list(sys.modules)):
        if isinstance(sys.modules[name], (two_sided.TwoSided, two_sided.PartlyTwoSided)):
            two_sided.unmake(sys.modules[name])
