"""tf.contrib.slim.nets.inception, the public names of Inception v3. See `inception_v3`.

logits, end_points = inception_v3(images, num_classes=1000)
"""

from legacy.contrib import _missing
from legacy.contrib.slim.nets.inception_v3 import (
    inception_v3,
    inception_v3_arg_scope,
    inception_v3_base,
)

__getattr__ = _missing.attribute_of("slim.nets.inception")

__all__ = [
    "inception_v3",
    "inception_v3_arg_scope",
    "inception_v3_base",
]
