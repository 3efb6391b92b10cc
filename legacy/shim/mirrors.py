"""Private modules of TensorFlow in which what a program replaces is replaced publicly too.

Test suites of the time put mocks in the place of `training.MonitoredTrainingSession` or
`tf_logging.warning`, in the private module from which the original took them. legacy.estimator
takes them from TensorFlow's public API, which has the same objects.

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

# By private module: the public one that has its objects.
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
    """A module whose names, where another has the same objects, are set in both."""

    _public: types.ModuleType

    def __setattr__(self, name: str, value: Any) -> None:
        before = self.__dict__.get(name, _MISSING)
        types.ModuleType.__setattr__(self, name, value)
        public = type(self)._public
        if before is not _MISSING and getattr(public, name, None) is before:
            setattr(public, name, value)


def mirror(module: types.ModuleType, public: types.ModuleType) -> None:
    """Has, in place, what is set in a module be set in another, where both have one object.

    Args:
      module: The private module.
      public: The public one.
    """
    module.__class__ = type("Mirror", (Mirror,), {"_public": public})


def make_all() -> None:
    """Does so for all private modules of the list that TensorFlow has loaded."""
    for name, place in MIRRORED.items():
        module, public = sys.modules.get(name), modules.find_place(place)
        if type(module) is types.ModuleType and public is not None:
            mirror(module, public)


def unmake_all() -> None:
    """Takes `make_all` back."""
    for name in MIRRORED:
        if isinstance(sys.modules.get(name), Mirror):
            types.ModuleType.__setattr__(sys.modules[name], "__class__", types.ModuleType)
