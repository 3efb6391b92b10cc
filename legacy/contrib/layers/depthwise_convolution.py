"""Depthwise and separable convolutions of tf.contrib.layers.

net = separable_conv2d(net, 64, 3)
net = separable_conv2d(net, None, 3)  # Depthwise alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import initializers, scopes, utils

tf1 = tf.compat.v1
_Activation = Callable[[tf.Tensor], tf.Tensor] | None
_Size = int | Sequence[int]

_RENAMED = {
    "bias": "biases",
    "depthwise_kernel": "depthwise_weights",
    "pointwise_kernel": "pointwise_weights",
}
_KINDS = {"depthwise_kernel": "weights", "pointwise_kernel": "weights", "bias": "biases"}


@add_arg_scope
def separable_convolution2d(
    inputs: Any,
    num_outputs: int | None,
    kernel_size: _Size,
    depth_multiplier: int = 1,
    stride: _Size = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: _Size = 1,
    activation_fn: _Activation = tf.nn.relu,
    normalizer_fn: Callable[..., tf.Tensor] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = initializers.XAVIER,
    pointwise_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = initializers.ZEROS,
    biases_regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> tf.Tensor:
    """Convolves each channel separately, then mixes the channels with a 1x1 convolution.

    Args:
      inputs: Images of rank 4.
      num_outputs: Number of channels of the result. None omits the 1x1 convolution.
      kernel_size: Window size: a number, or (height, width).
      depth_multiplier: Number of outputs of the depthwise convolution per input channel.
      stride: Stride: a number, or a sequence with one number per spatial dimension.
      padding: Padding: "SAME" or "VALID".
      data_format: "NHWC" (channels last) or "NCHW" (channels first).
      rate: Dilation rate.
      activation_fn: Activation function, or None for a linear result.
      normalizer_fn: Normalizer to apply before the activation instead of biases.
      normalizer_params: Keyword arguments of the normalizer.
      weights_initializer: Initializer of "depthwise_weights".
      pointwise_initializer: Initializer of "pointwise_weights". The default is
        `weights_initializer`.
      weights_regularizer: Regularizer of "depthwise_weights" and "pointwise_weights".
      biases_initializer: Initializer of "biases", or None for no biases.
      biases_regularizer: Regularizer of the biases.
      reuse: If true, existing variables are reused.
      variables_collections: Collections to add the variables to, or a dict of collections with the
        keys "weights" and "biases".
      outputs_collections: Collections to add the result to.
      trainable: If true, the variables are trainable.
      scope: Variable scope. The default is "SeparableConv2d", made unique.

    Returns:
      The output of the convolution.

    Raises:
      ValueError: The data format is unsupported, or the number of channels is unknown.
    """
    scopes.check_format(data_format)
    getter = scopes.getter(_RENAMED)
    with tf1.variable_scope(
        scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=getter
    ) as layer_scope:
        inputs = tf.convert_to_tensor(inputs)
        if num_outputs is None:
            outputs = _depthwise(
                inputs,
                _weights(
                    (*utils.two_element_tuple(kernel_size), _channels(inputs, data_format))
                    + (depth_multiplier,),
                    "depthwise_weights",
                    inputs,
                    weights_initializer,
                    weights_regularizer,
                    trainable,
                    utils.get_variable_collections(variables_collections, "weights"),
                ),
                stride,
                padding,
                data_format,
                rate,
            )
            if normalizer_fn is None and biases_initializer is not None:
                outputs = _with_biases(
                    outputs,
                    biases_initializer,
                    biases_regularizer,
                    trainable,
                    utils.get_variable_collections(variables_collections, "biases"),
                    data_format,
                )
        else:
            layer = tf1.layers.SeparableConv2D(
                num_outputs,
                kernel_size,
                strides=stride,
                padding=padding,
                data_format=scopes.keras_format(data_format),
                dilation_rate=utils.two_element_tuple(rate),
                depth_multiplier=depth_multiplier,
                use_bias=not normalizer_fn and bool(biases_initializer),
                depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer,
                bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer,
                trainable=trainable,
                name=layer_scope.name,
                dtype=inputs.dtype.base_dtype,
                _scope=layer_scope,
                _reuse=reuse,
            )
            outputs = scopes.use_layer(layer, inputs, _KINDS, variables_collections)
        outputs = scopes.normalize(outputs, normalizer_fn, normalizer_params)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


separable_conv2d = separable_convolution2d


@add_arg_scope
def convolution2d_in_plane(
    inputs: Any,
    kernel_size: _Size,
    stride: _Size = 1,
    padding: str = "SAME",
    activation_fn: _Activation = tf.nn.relu,
    normalizer_fn: Callable[..., tf.Tensor] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = initializers.XAVIER,
    weights_regularizer: Any = None,
    biases_initializer: Any = initializers.ZEROS,
    biases_regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> tf.Tensor:
    """Convolves each channel separately, all with the same "weights".

    See `separable_convolution2d` for the arguments. The default scope is "ConvInPlane".
    """
    with tf1.variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as layer_scope:
        weights = _weights(
            (*utils.two_element_tuple(kernel_size), 1, 1),
            "weights",
            inputs,
            weights_initializer,
            weights_regularizer,
            trainable,
            utils.get_variable_collections(variables_collections, "weights"),
        )
        weights = tf.tile(weights, [1, 1, _channels(inputs, "NHWC"), 1])
        outputs = _depthwise(inputs, weights, stride, padding, "NHWC")
        if normalizer_fn is None and biases_initializer is not None:
            outputs = _with_biases(
                outputs,
                biases_initializer,
                biases_regularizer,
                trainable,
                utils.get_variable_collections(variables_collections, "biases"),
                "NHWC",
            )
        outputs = scopes.normalize(outputs, normalizer_fn, normalizer_params)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


conv2d_in_plane = convolution2d_in_plane


def _channels(images: tf.Tensor, data_format: str) -> int:
    return utils.channel_dimension(images.shape, scopes.keras_format(data_format), min_rank=4)


def _weights(
    shape: tuple[int, ...],
    name: str,
    inputs: tf.Tensor,
    initializer: Any,
    regularizer: Any,
    trainable: bool,
    collections: Any,
) -> Any:
    return variables.model_variable(
        name,
        shape=shape,
        dtype=inputs.dtype.base_dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
    )


def _depthwise(
    inputs: tf.Tensor, weights: Any, stride: _Size, padding: str, data_format: str, rate: _Size = 1
) -> tf.Tensor:
    height, width = utils.two_element_tuple(stride)
    strides = [1, 1, height, width] if data_format == "NCHW" else [1, height, width, 1]
    return tf1.nn.depthwise_conv2d(
        inputs,
        weights,
        strides,
        padding,
        rate=utils.two_element_tuple(rate),
        data_format=data_format,
    )


def _with_biases(
    outputs: tf.Tensor,
    initializer: Any,
    regularizer: Any,
    trainable: bool,
    collections: Any,
    data_format: str,
) -> tf.Tensor:
    shape = (_channels(outputs, data_format),)
    biases = _weights(shape, "biases", outputs, initializer, regularizer, trainable, collections)
    return tf1.nn.bias_add(outputs, biases, data_format=data_format)
