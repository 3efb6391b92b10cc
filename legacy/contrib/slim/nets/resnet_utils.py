"""Building blocks of the residual networks in `resnet_v1` and `resnet_v2`.

blocks = [Block("block1", bottleneck, [{"depth": 256, "depth_bottleneck": 64, "stride": 1}] * 3)]
net = stack_blocks_dense(net, blocks, output_stride=16)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.framework import add_arg_scope, arg_scope
from legacy.contrib.layers import utils

tf1 = tf.compat.v1


class Block(NamedTuple):
    """Description of a block: the scope, the function that builds a unit, and its arguments."""

    scope: str
    unit_fn: Callable[..., tf.Tensor]
    args: Sequence[dict[str, Any]]


def subsample(inputs: tf.Tensor, factor: int, scope: Any = None) -> tf.Tensor:
    """Keeps every n-th row and column of images, where n is the factor."""
    if factor == 1:
        return inputs
    return layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: tf.Tensor,
    num_outputs: int,
    kernel_size: int,
    stride: int,
    rate: int = 1,
    scope: Any = None,
) -> tf.Tensor:
    """Convolves with explicit padding, so that strides do not depend on the size of the images.

    With SAME padding, a stride of 2 selects other positions for even sizes than for odd sizes.

    Args:
      inputs: Images of shape [batch, height, width, channels].
      num_outputs: Number of channels of the result.
      kernel_size: Window size.
      stride: Stride of the convolution.
      rate: Dilation rate.
      scope: Variable scope.
    """
    options = {"stride": stride, "rate": rate, "scope": scope}
    if stride == 1:
        return layers.conv2d(inputs, num_outputs, kernel_size, padding="SAME", **options)
    around = (kernel_size - 1) * rate
    sides = [around // 2, around - around // 2]
    inputs = tf.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return layers.conv2d(inputs, num_outputs, kernel_size, padding="VALID", **options)


@add_arg_scope
def stack_blocks_dense(
    net: tf.Tensor,
    blocks: Sequence[Block],
    output_stride: int | None = None,
    outputs_collections: Any = None,
) -> tf.Tensor:
    """Applies blocks. Once the output stride is reached, dilation replaces further strides.

    Args:
      net: Images of shape [batch, height, width, channels].
      blocks: Descriptions of the blocks.
      output_stride: Ratio of the input size to the output size. None applies all strides.
      outputs_collections: Collections to add the output of each block to.

    Returns:
      The output of the last block.

    Raises:
      ValueError: The blocks cannot reach the output stride.
    """
    stride = rate = 1
    for block in blocks:
        with tf1.variable_scope(block.scope, "block", [net]) as block_scope:
            for number, unit in enumerate(block.args, start=1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with tf1.variable_scope(f"unit_{number}", values=[net]):
                    # At the output stride, a unit's stride becomes the dilation of later units.
                    if stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = utils.collect_named_outputs(outputs_collections, block_scope.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001,
    batch_norm_decay: float = 0.997,
    batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> dict[str, Any]:
    """Returns the argument scope of the published networks.

    Args:
      weight_decay: Factor of the L2 regularizer of the weights.
      batch_norm_decay: Decay of the moving averages.
      batch_norm_epsilon: Small constant added to the variance.
      batch_norm_scale: If true, batch normalization has the variable "gamma".
    """
    normalizer_params = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": tf1.GraphKeys.UPDATE_OPS,
    }
    with (
        arg_scope(
            [layers.conv2d],
            weights_regularizer=layers.l2_regularizer(weight_decay),
            weights_initializer=layers.variance_scaling_initializer(),
            activation_fn=tf.nn.relu,
            normalizer_fn=layers.batch_norm,
            normalizer_params=normalizer_params,
        ),
        arg_scope([layers.batch_norm], **normalizer_params),
        arg_scope([layers.max_pool2d], padding="SAME") as scope,
    ):
        return scope


def units(scope: str, unit_fn: Any, base_depth: int, num_units: int, stride: int) -> Block:
    """Returns a block of bottleneck units. Only its last unit has a stride.

    Args:
      scope: Scope of the block.
      unit_fn: Function that builds a unit.
      base_depth: Number of channels of the bottleneck. The result has four times as many.
      num_units: Number of units.
      stride: Stride of the last unit.
    """
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    return Block(
        scope, unit_fn, [{**unit, "stride": 1}] * (num_units - 1) + [{**unit, "stride": stride}]
    )


# Number of units in each block, by the number of layers of the network.
DEPTHS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}


def of_depth(
    network: Callable[..., Any], make_block: Callable[..., Block], depth: int
) -> Callable[..., tuple[tf.Tensor, dict[str, tf.Tensor]]]:
    """Returns a function that builds a network of 50, 101, 152 or 200 layers.

    Args:
      network: Function that builds a network from blocks: `resnet_v1` or `resnet_v2`.
      make_block: Function of scope, base_depth, num_units and stride that returns a block.
      depth: Number of layers.
    """
    name = f"{network.__name__}_{depth}"
    # The root block and the first three blocks have a total stride of 4 * 2 * 2 * 2 = 32.
    blocks = [
        make_block(f"block{i + 1}", base_depth=64 * 2**i, num_units=n, stride=1 if i == 3 else 2)
        for i, n in enumerate(DEPTHS[depth])
    ]

    def build(
        inputs: tf.Tensor,
        num_classes: int | None = None,
        is_training: bool = True,
        global_pool: bool = True,
        output_stride: int | None = None,
        reuse: bool | None = None,
        scope: Any = name,
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        return network(
            inputs,
            blocks,
            num_classes,
            is_training,
            global_pool,
            output_stride,
            reuse=reuse,
            scope=scope,
        )

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"`{network.__name__}` of {depth} layers; arguments as there."
    return build


def build(
    inputs: tf.Tensor,
    blocks: Sequence[Block],
    num_classes: int | None,
    is_training: bool,
    global_pool: bool,
    output_stride: float | None,
    root: Callable[[tf.Tensor], tf.Tensor] | None,
    final_layers: Callable[[tf.Tensor], tf.Tensor],
    unit_fn: Any,
    reuse: bool | None,
    scope: tuple[Any, str],
) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
    """Builds a residual network of either version.

    Args:
      inputs: Images of shape [batch, height, width, channels].
      blocks: Descriptions of the blocks.
      num_classes: Number of classes, or None for no logits.
      is_training: If true, batch normalization uses the mean and the variance of the batch.
      global_pool: If true, averages over height and width.
      output_stride: Ratio of the input size to the output size of the blocks. None applies all
        strides.
      root: Function that applies the root block, whose stride is 4. None for no root block.
      final_layers: Function to apply after the blocks.
      unit_fn: Function that builds a unit. An argument scope collects its outputs.
      reuse: If true, existing variables are reused.
      scope: Variable scope and its default.

    Returns:
      The logits or the last layer, and a dict of layer outputs by name.

    Raises:
      ValueError: The blocks cannot reach the output stride.
    """
    with tf1.variable_scope(*scope, [inputs], reuse=reuse) as net_scope:
        collection = f"{net_scope.original_name_scope}_end_points"
        collecting = [layers.conv2d, unit_fn, stack_blocks_dense]
        with (
            arg_scope(collecting, outputs_collections=collection),
            arg_scope([layers.batch_norm], is_training=is_training),
        ):
            net = inputs
            if root is not None:
                if output_stride is not None:
                    if output_stride % 4:
                        raise ValueError("The output_stride needs to be a multiple of 4.")
                    output_stride /= 4
                net = root(net)
            net = final_layers(stack_blocks_dense(net, blocks, output_stride))
            if global_pool:
                net = tf.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                net = layers.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits"
                )
            end_points = utils.convert_collection_to_dict(collection)
            if num_classes is not None:
                end_points["predictions"] = layers.softmax(net, scope="predictions")
            return net, end_points
