"""What residual networks of both kinds are made of; see `resnet_v1` and `resnet_v2`.

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
    """A block: its scope, what makes a unit of it, and the arguments of each unit."""

    scope: str
    unit_fn: Callable[..., tf.Tensor]
    args: Sequence[dict[str, Any]]


def subsample(inputs: tf.Tensor, factor: int, scope: Any = None) -> tf.Tensor:
    """Takes each so many-th row and column of images."""
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
    """Convolves so that a stride takes the same places whatever the size of images is.

    Args:
      inputs: Images.
      num_outputs: The channels of the result.
      kernel_size: The window's size.
      stride: From window to window.
      rate: The distance between elements of a window.
      scope: The variable scope.
    """
    how = {"stride": stride, "rate": rate, "scope": scope}
    if stride == 1:
        return layers.conv2d(inputs, num_outputs, kernel_size, padding="SAME", **how)
    around = (kernel_size - 1) * rate
    sides = [around // 2, around - around // 2]
    inputs = tf.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return layers.conv2d(inputs, num_outputs, kernel_size, padding="VALID", **how)


@add_arg_scope
def stack_blocks_dense(
    net: tf.Tensor,
    blocks: Sequence[Block],
    output_stride: int | None = None,
    outputs_collections: Any = None,
) -> tf.Tensor:
    """Applies blocks; from a stride on, windows are widened in place of taking fewer places.

    Args:
      net: Images.
      blocks: The blocks.
      output_stride: How many times smaller the result is at most; None is what comes.
      outputs_collections: Collections for the result of each block.

    Returns:
      The result.

    Raises:
      ValueError: That stride cannot be reached.
    """
    stride = rate = 1
    for block in blocks:
        with tf1.variable_scope(block.scope, "block", [net]) as opened:
            for number, unit in enumerate(block.args, start=1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with tf1.variable_scope(f"unit_{number}", values=[net]):
                    if stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = utils.collect_named_outputs(outputs_collections, opened.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001,
    batch_norm_decay: float = 0.997,
    batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> dict[str, Any]:
    """Returns the argument scope that the networks were published with.

    Args:
      weight_decay: The weight of the L2 loss on weights.
      batch_norm_decay: The decay of moving averages.
      batch_norm_epsilon: Added to the variance.
      batch_norm_scale: Whether there is a "gamma".
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
    """Makes a block of bottleneck units, the last of which has a stride.

    Args:
      scope: The block's scope.
      unit_fn: What makes a unit.
      base_depth: The channels of the bottleneck; the result has four times as many.
      num_units: The number of units.
      stride: The last unit's stride.
    """
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    return Block(
        scope, unit_fn, [{**unit, "stride": 1}] * (num_units - 1) + [{**unit, "stride": stride}]
    )


# Units per block of the networks by their number of layers.
DEPTHS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}


def of_depth(
    network: Callable[..., Any], make_block: Callable[..., Block], depth: int
) -> Callable[..., tuple[tf.Tensor, dict[str, tf.Tensor]]]:
    """Returns a function that builds a network of 50, 101, 152 or 200 layers.

    Args:
      network: What builds one of blocks: `resnet_v1` or `resnet_v2`.
      make_block: What makes a block: of scope, base_depth, num_units and stride.
      depth: The number of layers.
    """
    name = f"{network.__name__}_{depth}"
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
    last: Callable[[tf.Tensor], tf.Tensor],
    unit_fn: Any,
    reuse: bool | None,
    scope: tuple[Any, str],
) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
    """Builds a residual network.

    Args:
      inputs: Images.
      blocks: The blocks.
      num_classes: The number of classes; None for no logits.
      is_training: Whether batch normalization uses the batch's mean and variance.
      global_pool: Whether the mean over height and width is taken.
      output_stride: How many times smaller the result of the blocks is.
      root: The first layers, of stride 4; None for none.
      last: What comes after the blocks.
      unit_fn: What makes a unit, for its argument scope.
      reuse: Whether variables that are there are used again.
      scope: The variable scope and its default.

    Returns:
      Logits or the last layer, and the outputs of layers by their names.

    Raises:
      ValueError: That stride cannot be reached.
    """
    with tf1.variable_scope(*scope, [inputs], reuse=reuse) as opened:
        collection = f"{opened.original_name_scope}_end_points"
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
            net = last(stack_blocks_dense(net, blocks, output_stride))
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
