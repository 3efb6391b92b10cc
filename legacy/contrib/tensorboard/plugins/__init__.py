"""tf.contrib.tensorboard.plugins: the projector.

Files in reading order:
projector  writes the file that lists the embeddings to show
"""

from legacy.contrib import _missing
from legacy.contrib.tensorboard.plugins import projector

__getattr__ = _missing.attribute_of("tensorboard.plugins")

__all__ = ["projector"]
