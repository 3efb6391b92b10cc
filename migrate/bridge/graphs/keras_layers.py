"""Restores Keras' classes after layers were created in a v1 graph.

Keras has two base classes of layers and two of models. A layer created in a v1 graph switches the
base of its class to the v1 base. This also affects existing layers of the class, which then report
"an invalid state". The next layer of the class that is created in eager mode switches the base
back.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
import tf_keras


@contextlib.contextmanager
def restore_bases() -> Iterator[None]:
    """Switches all classes back to their eager base classes after the block."""
    try:
        yield
    finally:
        for base in (tf_keras.layers.Layer, tf_keras.Model):
            for version_1 in _version_1_of(base):
                # A list, because `_switch` changes the subclasses while they are walked.
                for cls in [*_subclasses(version_1)]:
                    # Classes of v1 keep their base. Abstract classes switch with their subclasses.
                    if not cls.__module__.endswith("_v1") and not inspect.isabstract(cls):
                        _switch(cls)


def _version_1_of(base: type[tf_keras.layers.Layer]) -> list[type[tf_keras.layers.Layer]]:
    """Returns the class that replaces a base class in v1 graphs."""
    # The v1 base classes have no public name, so a class that is switched to one shows it.
    probe = type("Probe", (base,), {})
    with tf.Graph().as_default():
        _switch(probe)
        classes = [cls for cls in probe.__mro__ if cls.__module__.endswith("_v1")]
    _switch(probe)
    return classes[:1]


def _switch(cls: Any) -> None:
    """Switches a class to the base class of the current mode, which Keras does in `__new__`."""
    cls.__new__(cls)


def _subclasses(cls: type[tf_keras.layers.Layer]) -> Iterator[type[tf_keras.layers.Layer]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)
