"""The Keras of this process: tf_keras, which is Keras 2, or Keras 3.

    chosen_keras.choose(3)
    from modern.process.chosen_keras import keras

Both have the names that this toolkit uses, so one definition of a model serves both. In a program
of your own, write `import tf_keras as keras`, or `import keras`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tensorflow as tf
    import tf_keras as keras

__all__ = [
    "BACKENDS", "OLDEST_KERAS_3", "VERSIONS", "check_backend", "check_installed_keras_3",
    "check_keras_3", "choose", "is_on_tensorflow", "keras", "load", "tf_variable", "version",
]  # fmt: skip

VERSIONS = (2, 3)
BACKENDS = ("tensorflow", "jax", "torch")  # Of Keras 3.
# The oldest Keras 3 that is supported. setup.cfg has the newest one that was tested.
OLDEST_KERAS_3 = (3, 6)
_MODULES = {2: "tf_keras", 3: "keras"}

_version = 2


def choose(version: int, beside_tf_keras: bool = False, backend: str = "tensorflow") -> None:
    """Chooses the Keras of this process. Call it before the first use of `keras`.

    Args:
      version: One of `VERSIONS`.
      beside_tf_keras: If true, `tf.keras` stays tf_keras, for an old program in the same process.
      backend: Backend of Keras 3.

    Raises:
      RuntimeError: The other one is in use already.
      cli.UsageError: The installed Keras 3 is too old.
    """
    global _version
    if "keras" in globals() and version != _version:
        raise RuntimeError(f"Keras {_version} is in use in this process, not Keras {version}.")
    if version == 3:
        check_installed_keras_3()
    _version = version
    # TensorFlow reads it once, for `tf.keras`. It must not import the other Keras, too.
    os.environ["TF_USE_LEGACY_KERAS"] = "1" if version == 2 or beside_tf_keras else "0"
    if version == 3:
        os.environ["KERAS_BACKEND"] = backend


def check_installed_keras_3() -> None:
    """Raises UsageError if the installed Keras 3 is too old for this toolkit."""
    check_keras_3(importlib.metadata.version("keras"))


def check_backend(work: str) -> None:
    """Raises UsageError if KERAS_BACKEND names another backend than TensorFlow.

    Args:
      work: Work that needs TensorFlow, for the message. For example, "migrate port".
    """
    backend = os.environ.get("KERAS_BACKEND", "tensorflow")
    if backend != "tensorflow":
        from modern.process import cli  # Here, because it imports absl.flags into any program.

        raise cli.UsageError(
            f"KERAS_BACKEND={backend} does not fit {work}, which uses Keras 3 with TensorFlow: "
            "unset KERAS_BACKEND."
        )


def check_keras_3(installed: str) -> None:
    """Raises UsageError if a Keras 3 is too old for this toolkit.

    Args:
      installed: Version of the package keras, such as "3.15.1".
    """
    numbers = re.match(r"(\d+)\.(\d+)", installed)
    if numbers and (int(numbers[1]), int(numbers[2])) < OLDEST_KERAS_3:
        from modern.process import cli  # Here, because it imports absl.flags into any program.

        oldest = ".".join(map(str, OLDEST_KERAS_3))
        raise cli.UsageError(
            f"--keras=3 needs keras {oldest} or later, and {installed} is installed. "
            f"Run: pip install 'keras>={oldest}'"
        )


def version() -> int:
    """Returns the major version of the Keras of this process."""
    return _version


def is_on_tensorflow() -> bool:
    """Returns whether this Keras computes with TensorFlow, and not with JAX or torch."""
    return _version == 2 or load().config.backend() == "tensorflow"


def tf_variable(variable: Any) -> tf.Variable:
    """Returns TensorFlow's variable of a variable of this Keras.

    A variable of Keras 3 contains one. In Keras 2, it is one. With JAX and torch there is none, and
    the variable of Keras is returned. It has `assign`, `numpy` and `shape`, too.
    """
    if _version == 2 or not is_on_tensorflow():
        return variable
    # Before Keras 3.7, the variables of layers are not instances of `keras.Variable`.
    value = getattr(variable, "value", None)
    return variable if value is None or callable(value) else value  # A method of tf.Variable.


def __getattr__(name: str) -> Any:
    """Imports `keras` on first access."""
    if name != "keras":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return load()


def load() -> Any:
    """Imports the Keras of this process, and returns its module."""
    if "keras" not in globals():
        globals()["keras"] = importlib.import_module(_MODULES[_version])
    return globals()["keras"]
