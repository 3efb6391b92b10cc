"""tf.contrib.keras: Keras as TensorFlow 1 had it.

The names are those of tf.compat.v1.keras, which is legacy Keras here.
"""

from typing import Any

import tensorflow as tf


def __getattr__(name: str) -> Any:
    """Returns the attribute of tf.compat.v1.keras with the same name."""
    return getattr(tf.compat.v1.keras, name)
