"""Residual networks, version 2: after He et al., arXiv:1603.05027.

with slim.arg_scope(resnet_arg_scope()):
    logits, end_points = resnet_v2_50(images, num_classes=1000, is_training=True)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.framework import add_arg_scope, arg_scope
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
    """Makes a unit: normalization, three convolutions, to whose result the input is added.

    Args:
      inputs: Images.
      depth: The channels of the result.
      depth_bottleneck: The channels between.
      stride: The stride.
      rate: The distance between elements of a window.
      outputs_collections: Collections for the result.
      scope: The variable scope; "bottleneck_v2" by default.
    """
    plain = {"normalizer_fn": None, "activation_fn": None}
    with tf1.variable_scope(scope, "bottleneck_v2", [inputs]) as opened:
        before = layers.batch_norm(inputs, activation_fn=tf.nn.relu, scope="preact")
        if depth == utils.last_dimension(inputs.shape, min_rank=4):
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = layers.conv2d(
                before, depth, [1, 1], stride=stride, scope="shortcut", **plain
            )
        net = layers.conv2d(before, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        net = resnet_utils.conv2d_same(net, depth_bottleneck, 3, stride, rate, scope="conv2")
        net = layers.conv2d(net, depth, [1, 1], stride=1, scope="conv3", **plain)
        net = shortcut + net
        return utils.collect_named_outputs(outputs_collections, opened.name, net)


def _root(net: tf.Tensor) -> tf.Tensor:
    with arg_scope([layers.conv2d], activation_fn=None, normalizer_fn=None):
        net = resnet_utils.conv2d_same(net, 64, 7, stride=2, scope="conv1")
    return layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")


def _last(net: tf.Tensor) -> tf.Tensor:
    return layers.batch_norm(net, activation_fn=tf.nn.relu, scope="postnorm")


def resnet_v2(
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
    """Builds a network of blocks.

    Args:
      inputs: Images, of shape [batch, height, width, channels].
      blocks: The blocks; see `resnet_v2_block`.
      num_classes: The number of classes; None for no logits.
      is_training: Whether batch normalization uses the batch's mean and variance.
      global_pool: Whether the mean over height and width is taken.
      output_stride: How many times smaller the result of the blocks is; None is 32.
      include_root_block: Whether the first layers, of stride 4, are there.
      reuse: Whether variables that are there are used again.
      scope: The variable scope; "resnet_v2" by default.

    Returns:
      Logits, of shape [batch, 1, 1, classes], or the last layer; and the outputs of layers by their
      names.

    Raises:
      ValueError: That stride cannot be reached.
    """
    return resnet_utils.build(
        inputs,
        blocks,
        num_classes,
        is_training,
        global_pool,
        output_stride,
        _root if include_root_block else None,
        _last,
        bottleneck,
        reuse,
        (scope, "resnet_v2"),
    )


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """Describes a block.

    Args:
      scope: The block's scope.
      base_depth: The channels of the bottleneck; the result has four times as many.
      num_units: The number of units.
      stride: The last unit's stride.
    """
    return resnet_utils.units(scope, bottleneck, base_depth, num_units, stride)


_of_depth = functools.partial(resnet_utils.of_depth, resnet_v2, resnet_v2_block)
resnet_v2_50 = _of_depth(50)
resnet_v2_101 = _of_depth(101)
resnet_v2_152 = _of_depth(152)
resnet_v2_200 = _of_depth(200)
resnet_v2.default_image_size = 224  # type: ignore[attr-defined]
