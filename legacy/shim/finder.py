"""Finds the modules of old TensorFlow. The import system calls this finder first.

A module that today's TensorFlow has is left to the other finders, except where the program must see
its v1 form, as in `from tensorflow.keras import layers` of a TensorFlow 1 program. A removed module
is served from the places in `legacy.names.tables`. A module that nothing provides raises an
ImportError with instructions.
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable, Sequence

from modern.process import fast_imports, frame_memory

# Every old program starts with this module, even one that does not import TensorFlow. So it imports
# little at the top, and the rest when a module of TensorFlow is first imported.

# Folders of TensorFlow outside its public API. The program and libraries see them alike.
_NOT_PUBLIC = frozenset(
    ("_api", "compiler", "core", "dtensor", "include", "lite", "python", "security", "tools", "tsl")
)

# Packages whose missing names raise their error at their use. So a module that imports one more
# name than it needs, such as a test suite, still loads.
_LATE = ("tensorflow.contrib.", "tensorflow.python.estimator.", "tensorflow_estimator.")


class Finder:
    """A finder for `sys.meta_path`."""

    def __init__(self, api: str, engine: str) -> None:
        """Creates a finder for one API and engine.

        Args:
          api: The API that the program is written for, "v1" or "v2".
          engine: Provider of tensorflow_estimator: "ours" or "original".
        """
        self._api, self._engine = api, engine
        # Callbacks that complete a module after its import, by module name.
        self.after_import: dict[str, Callable[[types.ModuleType], None]] = {}
        self.before_original: Callable[[], None] | None = None
        self.keras: types.ModuleType | None = None  # The module served as `keras`, if any.

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """Finds a module of old TensorFlow. None leaves it to the other finders.

        Raises:
          ImportError: The module belonged to TensorFlow, and nothing provides it.
        """
        if name in self.after_import:
            return self._find_and_complete(name)
        if name.endswith("_pb2"):
            from legacy.shim import protocol_buffers

            if protocol_buffers.is_candidate(name):
                return protocol_buffers.find_spec(name, path)
        head = name.partition(".")[0]
        if head == "keras":
            module = self._keras(name)
            return module and importlib.machinery.ModuleSpec(
                name, _PreloadedLoader(module), is_package=True
            )
        if head == "tensorflow_core":  # The name of the package below `tensorflow` in 1.15.
            module = importlib.import_module("tensorflow" + name.removeprefix(head))
            return importlib.machinery.ModuleSpec(name, _PreloadedLoader(module), is_package=True)
        if head not in ("tensorflow", "tensorflow_estimator") or name == "tensorflow":
            return None
        if name.startswith("tensorflow.python."):
            spec = self._private(name, path)
            if spec is not None:
                return spec
        module = self._module(name)
        if module is None:
            return None
        return importlib.machinery.ModuleSpec(name, _PreloadedLoader(module), is_package=True)

    def _find_and_complete(self, name: str) -> importlib.machinery.ModuleSpec | None:
        """Finds a module through the other finders, and completes it after its import."""
        # Removed first, so that the nested find_spec below does not come back here.
        complete = self.after_import.pop(name)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            self.after_import[name] = complete
            return None
        spec.loader = _CompletingLoader(spec.loader, complete)
        return spec

    def _private(
        self, name: str, path: Sequence[str] | None
    ) -> importlib.machinery.ModuleSpec | None:
        """Finds a private module that the program sees otherwise. None for any other module."""
        from legacy.shim import modules, private_modules

        # While TensorFlow imports itself, no module is changed. `views.show` changes them then.
        if not isinstance(sys.modules.get("tensorflow"), modules.Named):
            return None
        if not private_modules.differs(name):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            show = functools.partial(private_modules.show, api=self._api)
            spec.loader = _CompletingLoader(spec.loader, show)
            return spec
        module = private_modules.removed_module(name, self._api)
        return module and importlib.machinery.ModuleSpec(
            name, _PreloadedLoader(module), is_package=True
        )

    def _module(self, name: str) -> types.ModuleType | None:
        """Returns the module to serve for a name of TensorFlow or tensorflow_estimator.

        None leaves the import to the other finders.
        """
        from legacy.names import left_out, tables
        from legacy.shim import missing, modules

        if name.startswith("tensorflow_estimator"):
            if self._engine == "original":
                return self._original(name)
        elif not _has_left(name):
            return self._public(name)
        if self._engine == "original" and tables.today(name).startswith("tensorflow_estimator"):
            return importlib.import_module(tables.today(name))
        if not tables.is_module(name) or not self._is_provided(name):
            error = left_out.import_error(name, self._api)
            if self._is_late(name) and missing.is_unhandled(sys._getframe(2)):
                return missing.Missing(name, str(error))
            raise error
        return modules.Served(name, tables.places_of(name, self._api))

    def _keras(self, name: str) -> types.ModuleType | None:
        """Returns a module of `keras`. An old program gets the Keras 2 of its TensorFlow.

        A process has a single `keras`. If a library imports it first, it is Keras 3.
        """
        from legacy.reading import callers

        # Frame 2 is the caller of find_spec: the import system, on behalf of the importing code.
        if name == "keras" and callers.in_program(sys._getframe(2)):
            importlib.import_module("tensorflow")
            self.keras = _walk(_program_view(), ["keras"])
            return self.keras
        if self.keras is None or sys.modules.get("keras") is not self.keras:
            return None
        module = _walk(self.keras, name.split(".")[1:])
        return module if isinstance(module, types.ModuleType) else None

    def _original(self, name: str) -> None:
        """Prepares TensorFlow for the original package, before its first module is imported."""
        if name == "tensorflow_estimator" and self.before_original is not None:
            self.before_original()

    def _is_provided(self, name: str) -> bool:
        """Returns whether any name of a module is provided."""
        from legacy.names import left_out, tables
        from legacy.shim import modules

        if self._api == "v2" and name.startswith(("tensorflow.contrib", "tensorflow.examples")):
            return False
        if name in left_out.rows():
            return False
        places = tables.places_of(name, self._api)
        return places == tables.PUBLIC_PLACES.get(name) or any(map(modules.find_place, places))

    def _is_late(self, name: str) -> bool:
        """Returns whether a missing name raises its error at its use, instead of its import."""
        return name.startswith(_LATE) and (self._api == "v1" or "contrib" not in name)

    def shows_otherwise(self, name: str) -> bool:
        """Returns whether a new import of a loaded module would return another module."""
        from legacy.shim import modules

        if not name.startswith("tensorflow.") or name.split(".")[1] in (*_NOT_PUBLIC, "compat"):
            return False
        return not isinstance(sys.modules[name], modules.Named) and self._public(name) is not None

    def _public(self, name: str) -> types.ModuleType | None:
        """Returns a public module that the program and libraries see differently, or None."""
        from legacy.shim import two_sided

        parts = name.split(".")[1:]
        if parts[0] in _NOT_PUBLIC:
            return None
        library = _walk(sys.modules["tensorflow"], parts)
        program = _walk(_program_view(), parts)
        if not isinstance(program, types.ModuleType):
            return None
        if program is library:
            # Served as an alias. By its path, it would be loaded a second time, without the
            # additions.
            return program if {"estimator", "keras"}.intersection(parts) else None
        if not isinstance(library, types.ModuleType):
            return program
        return two_sided.new(name, library, program)


def _has_left(name: str) -> bool:
    """Returns whether a module below tensorflow was removed, or is always served by legacy."""
    if name.split(".")[1] in ("contrib", "examples"):
        return True
    from legacy.names import tables

    if name.startswith("tensorflow.python.estimator."):
        return True
    return name.startswith("tensorflow.python.") and tables.is_module(name)


def _program_view() -> types.ModuleType:
    """Returns TensorFlow as the program sees it."""
    from legacy.shim import two_sided

    return two_sided.program_side(sys.modules["tensorflow"])


def _walk(value: object, names: list[str]) -> object:
    for name in names:
        value = getattr(value, name, None)
    return value


class _PreloadedLoader:
    """Loads a module that exists already."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Returns None: the import system creates a module, which exec_module replaces."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Puts the module into sys.modules, where the import system reads it."""
        sys.modules[module.__name__] = self._module


class _CompletingLoader:
    """Loads a module with its own loader, then completes it."""

    def __init__(
        self,
        loader: importlib.machinery.SourceFileLoader,
        complete: Callable[[types.ModuleType], None],
    ) -> None:
        self._loader, self._complete = loader, complete

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """Creates the module with its own loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        """Executes the module with its own loader restored, and completes it."""
        spec = module.__spec__
        assert spec is not None
        spec.loader = module.__loader__ = self._loader
        # These keep Python's garbage collector and frame memory from slowing TensorFlow's import.
        with fast_imports.held():
            frame_memory.with_room(self._loader.exec_module)(module)
        self._complete(sys.modules[spec.name])
