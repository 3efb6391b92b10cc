"""tf.contrib.slim.nets: networks for images that can restore the published checkpoints.

with slim.arg_scope(nets.resnet_v1.resnet_arg_scope()):
    logits, end_points = nets.resnet_v1.resnet_v1_50(images, 1000, is_training=False)

Files in reading order:
vgg           builds VGG networks: vgg_16
resnet_v1     builds residual networks, version 1: resnet_v1_50
resnet_v2     builds residual networks, version 2: resnet_v2_50
resnet_utils  stacks the blocks of both versions
inception     collects the public names of Inception v3
inception_v3  builds Inception v3
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
