"""Undoes what layers made in a v1 graph do to Keras' classes.

Keras keeps two base classes of layers and models, and a layer that is made in a v1 graph turns its
class to the one of v1, also for the layers that are there: those say that they are "in an invalid
state" from then on. The next layer of the class that is made in eager mode turns it back.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator

import tensorflow as tf
import tf_keras


@contextlib.contextmanager
def turned_back() -> Iterator[None]:
    """After the block, all classes are as eager mode needs them."""
    try:
        yield
    finally:
        for base in (tf_keras.layers.Layer, tf_keras.Model):
            for version_1 in _version_1_of(base):
                for cls in [*_subclasses(version_1)]:
                    # Those of v1 are so for good; abstract ones turn with what is made of them.
                    if not cls.__module__.endswith("_v1") and not inspect.isabstract(cls):
                        cls.__new__(cls)


def _version_1_of(base: type) -> list[type]:
    """The class that takes the place of a base class in v1 graphs."""
    probe = type("Probe", (base,), {})
    with tf.Graph().as_default():
        probe.__new__(probe)
        found = [cls for cls in probe.__mro__ if cls.__module__.endswith("_v1")]
    probe.__new__(probe)
    return found[:1]


def _subclasses(cls: type) -> Iterator[type]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)
