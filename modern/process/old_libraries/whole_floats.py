"""Seeds of tf_keras before 2.19 on Python 3.12.

It draws the seed of a layer by `randint(1, 1e9)`. Python 3.12 refuses the float,
so that no model with unseeded weights can be built there.
"""

from __future__ import annotations

import importlib.metadata
import random
import re
import sys

_PYTHON = (3, 12)
_MENDED_IN = (2, 19)


def accept_for_seeds() -> None:
    """Lets `randint` take whole floats, as up to Python 3.11, if tf_keras needs it."""
    installed = re.match(r"(\d+)\.(\d+)", importlib.metadata.version("tf-keras"))
    if installed and needs_floats(sys.version_info[:2], (int(installed[1]), int(installed[2]))):
        accept()


def needs_floats(python: tuple[int, int], tf_keras: tuple[int, int]) -> bool:
    """Returns whether a tf_keras draws seeds that a Python refuses.

    Args:
      python: Major and minor version of Python.
      tf_keras: Major and minor version of tf_keras.
    """
    return python >= _PYTHON and tf_keras < _MENDED_IN


def accept() -> None:
    """Lets `random.randint` and `random.Random.randint` take whole floats."""
    randint = random.Random.randint

    def with_whole_floats(self: random.Random, a: float, b: float) -> int:
        return randint(self, _whole(a), _whole(b))

    random.Random.randint = with_whole_floats  # type: ignore[method-assign]
    # Python binds this function to its generator when it imports the module.
    random.randint = random.randint.__self__.randint  # type: ignore[attr-defined]


def _whole(number: float) -> int:
    return int(number) if isinstance(number, float) and number.is_integer() else number  # type: ignore[return-value]
