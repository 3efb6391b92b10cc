"""Mirrors replacements in TensorFlow's private modules to its public modules.

Test suites of the time replace `training.MonitoredTrainingSession` or `tf_logging.warning` by mocks
in the private module from which the original imported them. legacy.estimator uses the same objects
through TensorFlow's public API, so the mocks must appear there, too.

>>> import sys, types
>>> public, private = types.ModuleType("public"), types.ModuleType("private")
>>> public.session = private.session = session = object()
>>> mirror(private, public)
>>> private.session = "a mock"
>>> public.session
'a mock'
>>> private.session = session
>>> public.session is session
True
"""

from __future__ import annotations

import sys
import types
from typing import Any

from legacy.shim import modules

# Public module with the same objects, for each private module.
MIRRORED = {
    "tensorflow.python.platform.gfile": "tf.compat.v1.gfile",
    "tensorflow.python.platform.tf_logging": "tf.compat.v1.logging",
    "tensorflow.python.summary.writer.writer": "tf.compat.v1.summary",
    "tensorflow.python.training.basic_session_run_hooks": "tf.compat.v1.train",
    "tensorflow.python.training.monitored_session": "tf.compat.v1.train",
    "tensorflow.python.training.server_lib": "tf.compat.v1.train",
    "tensorflow.python.training.session_manager": "tf.compat.v1.train",
    "tensorflow.python.training.training": "tf.compat.v1.train",
    "tensorflow.python.training.training_util": "tf.compat.v1.train",
}
_MISSING = object()


class Mirror(types.ModuleType):
    """A module that sets a name in another module, too, if both hold the same object."""

    _public: types.ModuleType

    def __setattr__(self, name: str, value: Any) -> None:
        old_value = self.__dict__.get(name, _MISSING)
        types.ModuleType.__setattr__(self, name, value)
        public = type(self)._public
        if old_value is not _MISSING and getattr(public, name, None) is old_value:
            setattr(public, name, value)


def mirror(module: types.ModuleType, public: types.ModuleType) -> None:
    """Mirrors later assignments in a module to another that holds the same object. Works in place.

    Args:
      module: The private module.
      public: The public module.
    """
    module.__class__ = type("Mirror", (Mirror,), {"_public": public})


def make_all() -> None:
    """Mirrors all listed private modules that TensorFlow has loaded."""
    for name, place in MIRRORED.items():
        module, public = sys.modules.get(name), modules.find_place(place)
        if type(module) is types.ModuleType and public is not None:
            mirror(module, public)


def unmake_all() -> None:
    """Reverts `make_all`."""
    for name in MIRRORED:
        if isinstance(sys.modules.get(name), Mirror):
            types.ModuleType.__setattr__(sys.modules[name], "__class__", types.ModuleType)
