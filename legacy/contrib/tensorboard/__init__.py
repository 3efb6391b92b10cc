"""tf.contrib.tensorboard: the plugins' files."""

from legacy.contrib import _missing
from legacy.contrib.tensorboard import plugins

__getattr__ = _missing.attribute_of("tensorboard")

__all__ = ["plugins"]
