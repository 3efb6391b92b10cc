"""Inception v3 (Szegedy et al., arXiv:1512.00567), a network for images of 299 x 299 pixels.

with slim.arg_scope(inception_v3_arg_scope()):
    logits, end_points = inception_v3(images, num_classes=1000, is_training=True)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.framework import arg_scope

tf1 = tf.compat.v1

# A layer: (scope, channels, optional arguments). The scope ends with the kernel size, such as
# "Conv2d_1a_3x3". A pooling layer has no channels.
_Layer = tuple[Any, ...]
_DOWN = {"kernel_size": [3, 3], "stride": 2, "padding": "VALID"}

_STEM: tuple[_Layer, ...] = (
    ("Conv2d_1a_3x3", 32, {"stride": 2}),
    ("Conv2d_2a_3x3", 32),
    ("Conv2d_2b_3x3", 64, {"padding": "SAME"}),
    ("MaxPool_3a_3x3", {"stride": 2}),
    ("Conv2d_3b_1x1", 80),
    ("Conv2d_4a_3x3", 192),
    ("MaxPool_5a_3x3", {"stride": 2}),
)


def _mixed_5(pool_depth: int, *names: str) -> list[list[_Layer]]:
    first_name, second_name = names or ("Conv2d_0a_1x1", "Conv2d_0b_5x5")
    return [
        [("Conv2d_0a_1x1", 64)],
        [(first_name, 48), (second_name, 64)],
        [("Conv2d_0a_1x1", 64), ("Conv2d_0b_3x3", 96), ("Conv2d_0c_3x3", 96)],
        [("AvgPool_0a_3x3",), ("Conv2d_0b_1x1", pool_depth)],
    ]


def _mixed_6(depth: int) -> list[list[_Layer]]:
    return [
        [("Conv2d_0a_1x1", 192)],
        [("Conv2d_0a_1x1", depth), ("Conv2d_0b_1x7", depth), ("Conv2d_0c_7x1", 192)],
        [
            ("Conv2d_0a_1x1", depth),
            ("Conv2d_0b_7x1", depth),
            ("Conv2d_0c_1x7", depth),
            ("Conv2d_0d_7x1", depth),
            ("Conv2d_0e_1x7", 192),
        ],
        [("AvgPool_0a_3x3",), ("Conv2d_0b_1x1", 192)],
    ]


def _mixed_7(second: str) -> list[list[Any]]:
    # An inner list holds parallel layers, whose outputs are concatenated.
    return [
        [("Conv2d_0a_1x1", 320)],
        [("Conv2d_0a_1x1", 384), [("Conv2d_0b_1x3", 384), (second, 384)]],
        [
            ("Conv2d_0a_1x1", 448),
            ("Conv2d_0b_3x3", 384),
            [("Conv2d_0c_1x3", 384), ("Conv2d_0d_3x1", 384)],
        ],
        [("AvgPool_0a_3x3",), ("Conv2d_0b_1x1", 192)],
    ]


# Some names do not match their layers, such as "Conv2d_1a_1x1" with a 3x3 kernel. The published
# checkpoints have these names.
_MIXED: dict[str, list[list[Any]]] = {
    "Mixed_5b": _mixed_5(32),
    "Mixed_5c": _mixed_5(64, "Conv2d_0b_1x1", "Conv_1_0c_5x5"),
    "Mixed_5d": _mixed_5(64),
    "Mixed_6a": [
        [("Conv2d_1a_1x1", 384, _DOWN)],
        [("Conv2d_0a_1x1", 64), ("Conv2d_0b_3x3", 96), ("Conv2d_1a_1x1", 96, _DOWN)],
        [("MaxPool_1a_3x3", _DOWN)],
    ],
    "Mixed_6b": _mixed_6(128),
    "Mixed_6c": _mixed_6(160),
    "Mixed_6d": _mixed_6(160),
    "Mixed_6e": _mixed_6(192),
    "Mixed_7a": [
        [("Conv2d_0a_1x1", 192), ("Conv2d_1a_3x3", 320, _DOWN)],
        [
            ("Conv2d_0a_1x1", 192),
            ("Conv2d_0b_1x7", 192),
            ("Conv2d_0c_7x1", 192),
            ("Conv2d_1a_3x3", 192, _DOWN),
        ],
        [("MaxPool_1a_3x3", _DOWN)],
    ],
    "Mixed_7b": _mixed_7("Conv2d_0b_3x1"),
    "Mixed_7c": _mixed_7("Conv2d_0c_3x1"),
}


def _depth(min_depth: int, depth_multiplier: float) -> Callable[[int], int]:
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda depth: max(int(depth * depth_multiplier), min_depth)


def _apply(net: tf.Tensor, layer: _Layer, depth: Callable[[int], int]) -> tf.Tensor:
    scope, *sizes = layer
    how: dict[str, Any] = {"kernel_size": [int(size) for size in scope.split("_")[-1].split("x")]}
    if sizes and isinstance(sizes[-1], dict):
        how.update(sizes.pop())
    if scope.startswith("Conv"):
        return layers.conv2d(net, depth(sizes[0]), scope=scope, **how)
    pool = layers.max_pool2d if scope.startswith("Max") else layers.avg_pool2d
    return pool(net, scope=scope, **how)


def _mix(net: tf.Tensor, branches: list[list[Any]], depth: Callable[[int], int]) -> tf.Tensor:
    outputs = []
    for number, branch in enumerate(branches):
        with tf1.variable_scope(f"Branch_{number}"):
            output = net
            for layer in branch:
                if isinstance(layer, list):
                    output = tf.concat(
                        [_apply(output, branch_layer, depth) for branch_layer in layer], 3
                    )
                else:
                    output = _apply(output, layer, depth)
        outputs.append(output)
    return tf.concat(outputs, 3)


def inception_v3_base(
    inputs: tf.Tensor,
    final_endpoint: str = "Mixed_7c",
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
    """Builds the network up to a certain layer.

    Args:
      inputs: Images of shape [batch, height, width, channels].
      final_endpoint: Name of the last layer, such as "Mixed_6e".
      min_depth: Smallest number of channels of a layer.
      depth_multiplier: Factor of the number of channels of each layer.
      scope: Variable scope. The default is "InceptionV3".

    Returns:
      The output of the last layer, and a dict of layer outputs by name.

    Raises:
      ValueError: The layer is unknown, or `depth_multiplier` is not positive.
    """
    depth = _depth(min_depth, depth_multiplier)
    convolving = [layers.conv2d, layers.max_pool2d, layers.avg_pool2d]
    end_points: dict[str, tf.Tensor] = {}
    net = inputs
    with tf1.variable_scope(scope, "InceptionV3", [inputs]):
        with arg_scope(convolving, stride=1, padding="VALID"):
            for layer in _STEM:
                net = end_points[layer[0]] = _apply(net, layer, depth)
                if layer[0] == final_endpoint:
                    return net, end_points
        with arg_scope(convolving, stride=1, padding="SAME"):
            for name, branches in _MIXED.items():
                with tf1.variable_scope(name):
                    net = end_points[name] = _mix(net, branches, depth)
                if name == final_endpoint:
                    return net, end_points
    raise ValueError(f"Unknown final endpoint {final_endpoint}")


def inception_v3(
    inputs: tf.Tensor,
    num_classes: int = 1000,
    is_training: bool = True,
    dropout_keep_prob: float = 0.8,
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    prediction_fn: Callable[..., tf.Tensor] = layers.softmax,
    spatial_squeeze: bool = True,
    reuse: bool | None = None,
    scope: Any = "InceptionV3",
) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
    """Builds the network with its logits, auxiliary logits and predictions.

    Args:
      inputs: Images of shape [batch, height, width, channels]. The intended size is 299 x 299.
      num_classes: Number of classes.
      is_training: If true, dropout is active and batch normalization uses the batch.
      dropout_keep_prob: Probability that dropout keeps an element of the last layer.
      min_depth: Smallest number of channels of a layer.
      depth_multiplier: Factor of the number of channels of each layer.
      prediction_fn: Function of the logits and a `scope` that returns the predictions.
      spatial_squeeze: If true, the logits have shape [batch, num_classes], else
        [batch, 1, 1, num_classes].
      reuse: If true, existing variables are reused.
      scope: Variable scope.

    Returns:
      The logits, and a dict of layer outputs by name. "AuxLogits" serves an auxiliary loss.

    Raises:
      ValueError: `depth_multiplier` is not positive.
    """
    depth = _depth(min_depth, depth_multiplier)
    plain = {"activation_fn": None, "normalizer_fn": None}
    with (
        tf1.variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as net_scope,
        arg_scope([layers.batch_norm, layers.dropout], is_training=is_training),
    ):
        net, end_points = inception_v3_base(
            inputs, scope=net_scope, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        convolving = [layers.conv2d, layers.max_pool2d, layers.avg_pool2d]
        with arg_scope(convolving, stride=1, padding="SAME"), tf1.variable_scope("AuxLogits"):
            aux = layers.avg_pool2d(
                end_points["Mixed_6e"], [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5"
            )
            aux = layers.conv2d(aux, depth(128), [1, 1], scope="Conv2d_1b_1x1")
            size = _size_within(aux, 5)
            aux = layers.conv2d(
                aux,
                depth(768),
                size,
                weights_initializer=tf1.truncated_normal_initializer(0.0, 0.01),
                padding="VALID",
                scope=f"Conv2d_2a_{size[0]}x{size[1]}",
            )
            aux = layers.conv2d(
                aux,
                num_classes,
                [1, 1],
                weights_initializer=tf1.truncated_normal_initializer(0.0, 0.001),
                scope="Conv2d_2b_1x1",
                **plain,
            )
            end_points["AuxLogits"] = _squeeze(aux, spatial_squeeze)
        with tf1.variable_scope("Logits"):
            size = _size_within(net, 8)
            net = layers.avg_pool2d(
                net, size, padding="VALID", scope=f"AvgPool_1a_{size[0]}x{size[1]}"
            )
            net = layers.dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
            end_points["PreLogits"] = net
            logits = layers.conv2d(net, num_classes, [1, 1], scope="Conv2d_1c_1x1", **plain)
            end_points["Logits"] = logits = _squeeze(logits, spatial_squeeze)
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v3.default_image_size = 299  # type: ignore[attr-defined]


def _squeeze(logits: tf.Tensor, squeeze: bool) -> tf.Tensor:
    return tf.squeeze(logits, [1, 2], name="SpatialSqueeze") if squeeze else logits


def _size_within(images: tf.Tensor, size: int) -> list[int]:
    """Returns the size of a square window, reduced to the size of smaller images."""
    height, width = images.shape.as_list()[1:3]
    if height is None or width is None:
        return [size, size]
    return [min(height, size), min(width, size)]


def inception_v3_arg_scope(
    weight_decay: float = 0.00004,
    batch_norm_var_collection: str = "moving_vars",
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    updates_collections: Any = tf1.GraphKeys.UPDATE_OPS,
    use_fused_batchnorm: bool = True,
) -> dict[str, Any]:
    """Returns the argument scope of the published network.

    Args:
      weight_decay: Factor of the L2 regularizer of the weights.
      batch_norm_var_collection: Collection to add the moving averages to.
      batch_norm_decay: Decay of the moving averages.
      batch_norm_epsilon: Small constant added to the variance.
      updates_collections: Collections to add the updates of the moving averages to.
      use_fused_batchnorm: If true, uses the fused operation for batch normalization.
    """
    moving = [batch_norm_var_collection]
    collections_by_variable = {
        "beta": None,
        "gamma": None,
        "moving_mean": moving,
        "moving_variance": moving,
    }
    normalizer_params = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "updates_collections": updates_collections,
        "fused": use_fused_batchnorm,
        "variables_collections": collections_by_variable,
    }
    regularizer = layers.l2_regularizer(weight_decay)
    with (
        arg_scope([layers.conv2d, layers.fully_connected], weights_regularizer=regularizer),
        arg_scope(
            [layers.conv2d],
            weights_initializer=layers.variance_scaling_initializer(),
            activation_fn=tf.nn.relu,
            normalizer_fn=layers.batch_norm,
            normalizer_params=normalizer_params,
        ) as scope,
    ):
        return scope
