"""tf.contrib.slim.nets: networks for images, with the variable names of published checkpoints.

with slim.arg_scope(nets.resnet_v1.resnet_arg_scope()):
    logits, end_points = nets.resnet_v1.resnet_v1_50(images, 1000, is_training=False)
"""

from legacy.contrib import _missing
from legacy.contrib.slim.nets import inception, resnet_utils, resnet_v1, resnet_v2, vgg

__getattr__ = _missing.attribute_of("slim.nets")

__all__ = [
    "inception",
    "resnet_utils",
    "resnet_v1",
    "resnet_v2",
    "vgg",
]
