"""Modules that stand for others: for several places at once, or for one with some names changed.

>>> import math
>>> served = Served("tensorflow.contrib.numbers", ("math",))
>>> served.floor is math.floor
True
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Iterator
from typing import Any

from legacy.names import keras_modules, left_out, tables


def find_place(place: str) -> Any:
    """Returns the object that a place of the tables names.

    Args:
      place: Name of a module or of an object in one, or the path of a public TensorFlow name with
        "tf." in front.

    Returns:
      The module or object. None if it does not exist (yet).
    """
    head, _, rest = place.partition(".")
    if head != "tf":
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            if not error.name or not f"{place}.".startswith(f"{error.name}."):
                raise
        owner, _, name = place.rpartition(".")
        return getattr(find_place(owner), name, None) if owner else None
    value: Any = importlib.import_module("tensorflow")
    for name in filter(None, rest.split(".")):
        value = getattr(value, name, None)
    return value


class Named(types.ModuleType):
    """A module that copies and pickles as the module imported under its name."""

    def __reduce__(self) -> tuple[Callable[[str], types.ModuleType], tuple[str]]:
        """Returns the call that imports the module again."""
        return importlib.import_module, (self.__name__,)


class Served(Named):
    """A module whose names are looked up in other places on first access."""

    def __init__(self, name: str, places: tuple[str, ...]) -> None:
        """Stores the name and the places.

        Args:
          name: Full name of the module, as the program imports it.
          places: Modules and public TensorFlow names to search, in this order.
        """
        super().__init__(name)
        self.__dict__["__path__"] = []  # A package: any module can have modules below it.
        self.__dict__["_places"] = places
        self.__dict__["_replaced"] = {}
        self.__dict__["_is_contrib"] = name.startswith("tensorflow.contrib")

    def __getattr__(self, name: str) -> Any:
        """Looks a name up in the places, then among submodules. Caches the value."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if name == "__all__":
            return [public_name for public_name in dir(self) if not public_name.startswith("_")]
        full_name = f"{self.__name__}.{name}"
        constants = tables.constants_of(self.__name__)
        if name in constants:
            return constants[name]
        is_module = tables.is_module(full_name) or keras_modules.is_module(full_name)
        first_error = None
        # In contrib, a module of ours may have the same name as a function there.
        by_name = not is_module or self._is_contrib
        for place, attribute in self._candidates(name) if by_name else ():
            try:
                value = getattr(find_place(place), attribute)
            except AttributeError as error:
                first_error = first_error or error
            except ModuleNotFoundError as error:
                if not (error.name or "").startswith("legacy."):
                    raise
            else:
                return self.__dict__.setdefault(name, value)
        if is_module:
            try:
                return importlib.import_module(full_name)
            except left_out.NotProvidedImportError as error:
                raise left_out.NotProvidedError(str(error)) from None
        raise left_out.attribute_error(full_name, first_error) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets a name here and in the module that provides it, so that legacy uses it, too."""
        self.__dict__[name] = value
        if name.startswith("__") or isinstance(value, types.ModuleType):
            return  # The import system binds a submodule in its parent.
        if name not in self._replaced:
            for place, attribute in self._candidates(name):
                owner = find_place(place)
                if isinstance(owner, types.ModuleType) and attribute in vars(owner):
                    self._replaced[name] = (owner, attribute, vars(owner)[attribute])
                    break
        if name in self._replaced:
            setattr(*self._replaced[name][:2], value)

    def __delattr__(self, name: str) -> None:
        if name in self._replaced:
            setattr(*self._replaced.pop(name))
        types.ModuleType.__delattr__(self, name)

    def _candidates(self, name: str) -> Iterator[tuple[str, str]]:
        """Yields the places and names under which a name may be found, the likeliest first."""
        full_name = f"{tables.today(self.__name__)}.{name}"
        new_name = tables.RENAMED.get(full_name) or keras_modules.RENAMED.get(full_name)
        if new_name:
            place, _, attribute = new_name.rpartition(".")
            yield place, attribute
        for spelling in dict.fromkeys((name, name.lstrip("_"))):
            yield from ((place, spelling) for place in self._places)
        # The original's modules contain the classes of both APIs.
        for suffix in ("V2", "_v2"):
            if name.endswith(suffix):
                yield "legacy.estimator", name.removesuffix(suffix)

    def __dir__(self) -> list[str]:
        """Returns the names of all places."""
        names = {name for name in self.__dict__ if not name.startswith("_")}
        for place in self._places:
            provider = find_place(place)
            names.update(getattr(provider, "__all__", None) or dir(provider))
        # tf-keras imports TensorFlow as `tf`. `import *` must not replace the program's own `tf`.
        return sorted(names - {"tf"})

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} (provided by legacy)>"


class View(Named):
    """A module as the program sees it: a base module with some names replaced or added."""

    def __init__(self, name: str, base: types.ModuleType, names: dict[str, Any], api: str) -> None:
        """Stores the base and the names that replace its own.

        Args:
          name: Name of the module for the program.
          base: The module that provides all other names.
          names: Names that take precedence: values, or `Later`.
          api: The API that the program is written for, for errors: "v1" or "v2".
        """
        super().__init__(name, base.__doc__)
        for attribute in ("__file__", "__path__", "__package__", "__spec__"):
            self.__dict__[attribute] = getattr(base, attribute, None)
        self.__dict__["_base"] = base
        self.__dict__["_api"] = api
        self.__dict__["_later"] = {k: v for k, v in names.items() if isinstance(v, Later)}
        self.__dict__.update({k: v for k, v in names.items() if not isinstance(v, Later)})
        # Programs read `tf.logging.__dict__["INFO"]`. Names that the base itself loads late stay
        # with `__getattr__`.
        for public_name, value in vars(base).items():
            if not public_name.startswith("_") and public_name not in names:
                self.__dict__[public_name] = value

    def __getattr__(self, name: str) -> Any:
        """Returns a name of the base, or creates and caches a `Later` value."""
        if name.startswith("_") and name in ("_base", "_later", "_api"):
            raise AttributeError(name)  # copy and pickle look names up before __init__ has run.
        if name in self._later:
            return self.__dict__.setdefault(name, self._later[name].make())
        if name == "__all__":
            return [public_name for public_name in dir(self) if not public_name.startswith("_")]
        full_name = f"{self.__name__}.{name}"
        try:
            return self.__dict__.setdefault(name, getattr(self._base, name))
        except AttributeError as error:
            raise left_out.attribute_error(full_name, error, self._api) from None

    def __dir__(self) -> list[str]:
        """Returns the replaced names and those of the base."""
        own_names = (name for name in self.__dict__ if not name.startswith("_"))
        return sorted({*dir(self._base), *own_names, *self._later})


class Later:
    """A value that is created on first access."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make
