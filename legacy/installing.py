"""Prepares the running process for an old program: `legacy.install()`.

    import legacy

    legacy.install(api="v1")

    import tensorflow as tf      # TensorFlow 1.15, as far as the program can tell

Use it in notebooks and test suites. `python -m legacy.run` does the same for a whole program. The
program's own code sees the TensorFlow that it was written for. Libraries see the real one.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable, Iterator

from legacy import keras_choice, original
from legacy.reading.version_tests import VERSIONS
from legacy.shim import debugger, finder, numpy_names, python_names

_current: Installation | None = None


def install(api: str = "v2", engine: str = "ours", tf_version: str | None = None) -> Installation:
    """Shows old TensorFlow to the programs of this process.

    Works before and after TensorFlow has been imported. A second call with the same arguments
    changes nothing. A call with other arguments replaces the first installation.

    Args:
      api: "v1" for programs of TensorFlow 1 (this also disables v2 behavior), "v2" for later ones.
      engine: Provider of tf.estimator: "ours", or "original" for the last tensorflow-estimator,
        which must be installed.
      tf_version: Value of tf.__version__ for the program. Defaults to "1.15.5" for v1 and "2.15.1"
        for v2.

    Returns:
      The installation. Call its `undo()` to remove it.

    Raises:
      ImportError: Legacy Keras cannot be used in this process, or the original is not installed.
      ValueError: `api` or `engine` is unknown.
    """
    global _current

    if api not in VERSIONS:
        raise ValueError(f"api={api!r}: use 'v1' or 'v2'.")
    if engine not in ("ours", "original"):
        raise ValueError(f"engine={engine!r}: use 'ours' or 'original'.")
    if engine == "original":
        original.check_installed()
    settings = (api, engine, tf_version or VERSIONS[api])
    if _current is not None:
        if _current.settings == settings:
            return _current
        _current.undo()
    _current = Installation(*settings)
    return _current


class Installation:
    """An installed view of old TensorFlow."""

    def __init__(self, api: str, engine: str, tf_version: str) -> None:
        self.settings = (api, engine, tf_version)
        self._undo_classes: Callable[[], None] | None = None
        keras_choice.use_legacy_keras()
        python_names.complete_python()
        self._finder = finder.Finder(api, engine)
        if engine == "original":
            self._finder.before_original = original.supply
        for name, complete in (
            ("base64", python_names.complete_renamed),
            ("fractions", python_names.complete_fractions),
            ("inspect", python_names.complete_inspect),
            ("json", python_names.complete_json),
            ("numpy", numpy_names.complete),
            ("unittest", python_names.complete_unittest),
            ("xml.etree", python_names.complete_xml),
            ("tensorflow", self._complete_tensorflow),
            ("threading", python_names.complete_renamed),
            *((name, debugger.complete) for name in debugger.CLASSES),
        ):
            self.complete(name, complete)
        # First in the list, so that no other finder answers for the modules of TensorFlow.
        sys.meta_path.insert(0, self._finder)

    def complete(self, name: str, complete: Callable[[types.ModuleType], None]) -> None:
        """Calls a function with a module: at once if it is loaded, or else after its import.

        Args:
          name: Name of the module.
          complete: The function.
        """
        module = sys.modules.get(name)
        if module is None:
            earlier = self._finder.after_import.get(name)
            self._finder.after_import[name] = _both(earlier, complete) if earlier else complete
        else:
            complete(module)

    def undo(self) -> None:
        """Restores the real TensorFlow, with v2 behavior and an empty graph.

        The names that were added to NumPy and Python stay, and so does legacy Keras.
        """
        global _current
        from legacy.shim import modules, views

        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        # The served `keras` is legacy Keras. A later import must find the installed one.
        if self._finder.keras is not None:
            for name in [n for n in sys.modules if n == "keras" or n.startswith("keras.")]:
                del sys.modules[name]
        tensorflow = sys.modules.get("tensorflow")
        if isinstance(tensorflow, modules.Named):
            views.hide(tensorflow)
            if self._undo_classes is not None:
                self._undo_classes()
            if self.settings[0] == "v1":
                # Eager execution can be enabled only when no graph has been built.
                tensorflow.compat.v1.reset_default_graph()
                tensorflow.compat.v1.enable_v2_behavior()
        if _current is self:
            _current = None

    def _complete_tensorflow(self, tensorflow: types.ModuleType) -> None:
        from absl import flags as absl_flags

        from legacy.shim import classes, program_flags, views

        api, engine, version = self.settings
        if api == "v1":
            with _quiet(tensorflow):
                tensorflow.compat.v1.disable_v2_behavior()
        program_flags.complete(absl_flags.FLAGS)
        views.show(tensorflow, api, engine, version)
        self._undo_classes = classes.restore(tensorflow, api)
        _forget_public_modules(self._finder)


def _both(
    first: Callable[[types.ModuleType], None], second: Callable[[types.ModuleType], None]
) -> Callable[[types.ModuleType], None]:
    def complete(module: types.ModuleType) -> None:
        first(module)
        second(module)

    return complete


@contextlib.contextmanager
def _quiet(tensorflow: types.ModuleType) -> Iterator[None]:
    """Silences TensorFlow's warnings about a call that the user did not make."""
    logger = tensorflow.get_logger()
    level = logger.level
    logger.setLevel("ERROR")
    try:
        yield
    finally:
        logger.setLevel(level)


def _forget_public_modules(module_finder: finder.Finder) -> None:
    """Removes TensorFlow's public modules from sys.modules. The finder then imports them again."""
    for name in list(sys.modules):
        if module_finder.shows_otherwise(name):
            del sys.modules[name]
