"""tf.contrib.tensorboard: configuration of TensorBoard's plugins.

Files in reading order:
plugins  provides the projector plugin
"""

from legacy.contrib import _missing
from legacy.contrib.tensorboard import plugins

__getattr__ = _missing.attribute_of("tensorboard")

__all__ = ["plugins"]
