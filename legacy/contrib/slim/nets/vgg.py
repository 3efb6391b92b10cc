"""VGG (Simonyan and Zisserman, arXiv:1409.1556), networks for images of 224 x 224 pixels.

with slim.arg_scope(vgg_arg_scope()):
    logits, end_points = vgg_16(images, num_classes=1000, is_training=True)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.framework import arg_scope
from legacy.contrib.layers import utils

tf1 = tf.compat.v1


def vgg_arg_scope(weight_decay: float = 0.0005) -> dict[str, Any]:
    """Returns the argument scope of the published networks.

    Args:
      weight_decay: Factor of the L2 regularizer of the weights.
    """
    with (
        arg_scope(
            [layers.conv2d, layers.fully_connected],
            activation_fn=tf.nn.relu,
            weights_regularizer=layers.l2_regularizer(weight_decay),
            biases_initializer=tf1.zeros_initializer(),
        ),
        arg_scope([layers.conv2d], padding="SAME") as scope,
    ):
        return scope


def _network(
    name: str, repetitions: tuple[int, ...], end_points_below: str = "original_name_scope"
) -> Callable[..., tuple[tf.Tensor, dict[str, tf.Tensor]]]:
    """Returns a function that builds a network with `repetitions` convolutions per stage."""

    def build(
        inputs: tf.Tensor,
        num_classes: int = 1000,
        is_training: bool = True,
        dropout_keep_prob: float = 0.5,
        spatial_squeeze: bool = True,
        scope: Any = name,
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        with tf1.variable_scope(scope, name, [inputs]) as net_scope:
            collection = f"{getattr(net_scope, end_points_below)}_end_points"
            collecting = [layers.conv2d, layers.fully_connected, layers.max_pool2d]
            with arg_scope(collecting, outputs_collections=collection):
                net = inputs
                for i, (times, depth) in enumerate(zip(repetitions, _DEPTHS, strict=True), start=1):
                    net = layers.repeat(net, times, layers.conv2d, depth, [3, 3], scope=f"conv{i}")
                    net = layers.max_pool2d(net, [2, 2], scope=f"pool{i}")

                def dropout(net: tf.Tensor, scope: str) -> tf.Tensor:
                    return layers.dropout(
                        net, dropout_keep_prob, is_training=is_training, scope=scope
                    )

                net = layers.conv2d(net, 4096, [7, 7], padding="VALID", scope="fc6")
                net = layers.conv2d(dropout(net, "dropout6"), 4096, [1, 1], scope="fc7")
                net = layers.conv2d(
                    dropout(net, "dropout7"),
                    num_classes,
                    [1, 1],
                    activation_fn=None,
                    normalizer_fn=None,
                    scope="fc8",
                )
                end_points = utils.convert_collection_to_dict(collection)
                if spatial_squeeze:
                    net = tf.squeeze(net, [1, 2], name="fc8/squeezed")
                    end_points[f"{net_scope.name}/fc8"] = net
                return net, end_points

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"""Builds {name}.

    Args:
      inputs: Images, of shape [batch, 224, 224, channels].
      num_classes: The number of classes.
      is_training: Whether elements are dropped.
      dropout_keep_prob: The probability that an element stays.
      spatial_squeeze: Whether logits are of shape [batch, classes], or have two dimensions more.
      scope: The variable scope.

    Returns:
      Logits, and the outputs of layers by their names.
    """
    build.default_image_size = 224  # type: ignore[attr-defined]
    return build


_DEPTHS = (64, 128, 256, 512, 512)
vgg_a = _network("vgg_a", (1, 1, 2, 2, 2))
vgg_16 = vgg_d = _network("vgg_16", (2, 2, 3, 3, 3))
# As in the original, only vgg_19 names its collection of end points by the scope's name.
vgg_19 = vgg_e = _network("vgg_19", (2, 2, 4, 4, 4), end_points_below="name")
