"""Checks that TensorFlow and tf_keras belong together, before either is imported.

`tf_keras` is Keras 2 as a separate package. Each of its minor versions needs TensorFlow of the same
minor version. A wrong pair fails late, with an obscure error. So `import modern` checks the pair:

>>> from modern.process import versions
>>> versions.check_match(tensorflow="2.21.0", tf_keras="2.21.0")
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
from collections.abc import Sequence

from modern.process import chosen_keras

OLDEST_TENSORFLOW = (2, 16)
_KERAS = {2: "tf_keras", 3: "keras"}  # The modules, by major version.
# The distributions that provide the module `tensorflow`.
_TENSORFLOW_DISTRIBUTIONS = ("tensorflow", "tensorflow-cpu", "tensorflow-macos", "tf-nightly")


class VersionError(ImportError):
    """TensorFlow or tf_keras is missing or too old, or they do not belong together."""


def _minor(version: str) -> tuple[int, int]:
    match = re.match(r"(\d+)\.(\d+)", version)  # For example, of "2.21rc1".
    if match is None:
        raise VersionError(f"{version!r} is not a version that begins like 2.21.")
    return int(match[1]), int(match[2])


def check_match(tensorflow: str, tf_keras: str) -> None:
    """Raises VersionError unless both have the same minor version, 2.16 or later.

    Args:
      tensorflow: The version of TensorFlow, such as "2.21.0".
      tf_keras: The version of tf_keras.
    """
    if _minor(tensorflow) < OLDEST_TENSORFLOW:
        oldest = ".".join(map(str, OLDEST_TENSORFLOW))
        raise VersionError(
            f"TensorFlow {tensorflow} is installed; this toolkit needs {oldest} or later. "
            "Run: pip install --upgrade tensorflow tf-keras"
        )
    if _minor(tensorflow) != _minor(tf_keras):
        required = ".".join(map(str, _minor(tensorflow)))
        raise VersionError(
            f"tensorflow {tensorflow} and tf-keras {tf_keras} do not belong together: both must be "
            f"of the same minor version. Run: pip install 'tf-keras=={required}.*'"
        )


def _version_of(*distributions: str) -> str:
    for distribution in distributions:
        try:
            return importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            continue
    raise VersionError(f"{distributions[0]} is not installed. Run: pip install {distributions[0]}")


def installed(keras: Sequence[int] = ()) -> dict[str, str]:
    """Returns the versions that a run records: python, tensorflow, its Keras and the toolkit.

    Args:
      keras: Major versions of Keras. The default is that of this process.
    """
    try:
        toolkit = importlib.metadata.version("estimator-ladder")
    except importlib.metadata.PackageNotFoundError:
        toolkit = "not installed"  # Run from a checkout.
    packages = [_KERAS[version] for version in keras or (chosen_keras.version(),)]
    return {
        "python": platform.python_version(),
        "tensorflow": _version_of(*_TENSORFLOW_DISTRIBUTIONS),
        **{package: _version_of(package.replace("_", "-")) for package in packages},
        "toolkit": toolkit,
    }


def tensorflow() -> tuple[int, int]:
    """Returns the major and minor version of the installed TensorFlow."""
    return _minor(_version_of(*_TENSORFLOW_DISTRIBUTIONS))


def check_installed() -> None:
    """Raises VersionError unless the installed TensorFlow and tf_keras belong together."""
    check_match(_version_of(*_TENSORFLOW_DISTRIBUTIONS), _version_of("tf-keras"))
