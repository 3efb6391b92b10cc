"""Residual networks, version 1 (He et al., arXiv:1512.03385).

with slim.arg_scope(resnet_arg_scope()):
    logits, end_points = resnet_v1_50(images, num_classes=1000, is_training=True)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.framework import add_arg_scope
from legacy.contrib.layers import utils
from legacy.contrib.slim.nets import resnet_utils

tf1 = tf.compat.v1

resnet_arg_scope = resnet_utils.resnet_arg_scope


@add_arg_scope
def bottleneck(
    inputs: tf.Tensor,
    depth: int,
    depth_bottleneck: int,
    stride: int,
    rate: int = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Builds a bottleneck unit: three convolutions and a shortcut that adds the input.

    Args:
      inputs: Images of shape [batch, height, width, channels].
      depth: Number of channels of the result.
      depth_bottleneck: Number of channels of the inner convolutions.
      stride: Stride of the unit.
      rate: Dilation rate.
      outputs_collections: Collections to add the result to.
      scope: Variable scope. The default is "bottleneck_v1".
    """
    with tf1.variable_scope(scope, "bottleneck_v1", [inputs]) as unit_scope:
        if depth == utils.last_dimension(inputs.shape, min_rank=4):
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = layers.conv2d(
                inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut"
            )
        net = layers.conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        net = resnet_utils.conv2d_same(net, depth_bottleneck, 3, stride, rate, scope="conv2")
        net = layers.conv2d(net, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        net = tf.nn.relu(shortcut + net)
        return utils.collect_named_outputs(outputs_collections, unit_scope.name, net)


def _root(net: tf.Tensor) -> tf.Tensor:
    net = resnet_utils.conv2d_same(net, 64, 7, stride=2, scope="conv1")
    return layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")


def _final_layers(net: tf.Tensor) -> tf.Tensor:
    return net


def resnet_v1(
    inputs: tf.Tensor,
    blocks: Sequence[resnet_utils.Block],
    num_classes: int | None = None,
    is_training: bool = True,
    global_pool: bool = True,
    output_stride: int | None = None,
    include_root_block: bool = True,
    reuse: bool | None = None,
    scope: Any = None,
) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
    """Builds a residual network from blocks.

    Args:
      inputs: Images of shape [batch, height, width, channels].
      blocks: Descriptions of the blocks. See `resnet_v1_block`.
      num_classes: Number of classes, or None for no logits.
      is_training: If true, batch normalization uses the mean and the variance of the batch.
      global_pool: If true, averages over height and width.
      output_stride: Ratio of the input size to the output size of the blocks. None means 32.
      include_root_block: If true, the network begins with the root block, whose stride is 4.
      reuse: If true, existing variables are reused.
      scope: Variable scope. The default is "resnet_v1".

    Returns:
      The logits of shape [batch, 1, 1, num_classes], or the last layer if `num_classes` is None,
      and a dict of layer outputs by name.

    Raises:
      ValueError: The blocks cannot reach the output stride.
    """
    return resnet_utils.build(
        inputs,
        blocks,
        num_classes,
        is_training,
        global_pool,
        output_stride,
        _root if include_root_block else None,
        _final_layers,
        bottleneck,
        reuse,
        (scope, "resnet_v1"),
    )


def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """Returns the description of a block of bottleneck units.

    Args:
      scope: Scope of the block.
      base_depth: Number of channels of the bottleneck. The result has four times as many.
      num_units: Number of units.
      stride: Stride of the last unit.
    """
    return resnet_utils.units(scope, bottleneck, base_depth, num_units, stride)


_of_depth = functools.partial(resnet_utils.of_depth, resnet_v1, resnet_v1_block)
resnet_v1_50 = _of_depth(50)
resnet_v1_101 = _of_depth(101)
resnet_v1_152 = _of_depth(152)
resnet_v1_200 = _of_depth(200)
resnet_v1.default_image_size = 224  # type: ignore[attr-defined]
