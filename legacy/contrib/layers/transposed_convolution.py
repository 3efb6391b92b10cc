"""Transposed convolutions of tf.contrib.layers, which enlarge images.

images = conv2d_transpose(net, 3, 4, stride=2, activation_fn=tf.nn.tanh)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import initializers, scopes

tf1 = tf.compat.v1
_Activation = Callable[[tf.Tensor], tf.Tensor] | None
_Size = int | Sequence[int]


def _transpose(
    layer_class: Any,
    default_scope: str,
    formats: Sequence[str],
    inputs: Any,
    num_outputs: int,
    kernel_size: _Size,
    *,
    stride: _Size,
    padding: str,
    data_format: str,
    activation_fn: _Activation,
    normalizer_fn: Any,
    normalizer_params: Any,
    weights_initializer: Any,
    weights_regularizer: Any,
    biases_initializer: Any,
    biases_regularizer: Any,
    reuse: bool | None,
    variables_collections: Any,
    outputs_collections: Any,
    trainable: bool,
    scope: Any,
) -> tf.Tensor:
    getter = scopes.getter(scopes.WEIGHTS)
    with tf1.variable_scope(
        scope, default_scope, [inputs], reuse=reuse, custom_getter=getter
    ) as layer_scope:
        if data_format not in formats:
            raise ValueError(f"data_format has to be either {' or '.join(formats)}.")
        inputs = tf.convert_to_tensor(inputs)
        layer = layer_class(
            num_outputs,
            kernel_size,
            strides=stride,
            padding=padding,
            data_format=scopes.keras_format(data_format),
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=layer_scope.name,
            dtype=inputs.dtype.base_dtype,
            _scope=layer_scope,
            _reuse=reuse,
        )
        outputs = scopes.use_layer(layer, inputs, scopes.WEIGHTS, variables_collections)
        outputs = scopes.normalize(outputs, normalizer_fn, normalizer_params)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


@add_arg_scope
def convolution2d_transpose(
    inputs: Any,
    num_outputs: int,
    kernel_size: _Size,
    stride: _Size = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
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
    """Applies a transposed convolution to images. For example, a stride of 2 doubles the size.

    See `convolution` for the arguments. The default scope is "Conv2d_transpose".

    Raises:
      ValueError: The data format is neither NHWC nor NCHW.
    """
    return _transpose(
        tf1.layers.Conv2DTranspose,
        "Conv2d_transpose",
        ("NCHW", "NHWC"),
        inputs,
        num_outputs,
        kernel_size,
        stride=stride,
        padding=padding,
        data_format=data_format,
        activation_fn=activation_fn,
        normalizer_fn=normalizer_fn,
        normalizer_params=normalizer_params,
        weights_initializer=weights_initializer,
        weights_regularizer=weights_regularizer,
        biases_initializer=biases_initializer,
        biases_regularizer=biases_regularizer,
        reuse=reuse,
        variables_collections=variables_collections,
        outputs_collections=outputs_collections,
        trainable=trainable,
        scope=scope,
    )


@add_arg_scope
def convolution3d_transpose(
    inputs: Any,
    num_outputs: int,
    kernel_size: _Size,
    stride: _Size = 1,
    padding: str = "SAME",
    data_format: str = "NDHWC",
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
    """Applies a transposed convolution to volumes. See `convolution2d_transpose`.

    The default scope is "Conv3d_transpose".
    """
    return _transpose(
        tf1.layers.Conv3DTranspose,
        "Conv3d_transpose",
        ("NCDHW", "NDHWC"),
        inputs,
        num_outputs,
        kernel_size,
        stride=stride,
        padding=padding,
        data_format=data_format,
        activation_fn=activation_fn,
        normalizer_fn=normalizer_fn,
        normalizer_params=normalizer_params,
        weights_initializer=weights_initializer,
        weights_regularizer=weights_regularizer,
        biases_initializer=biases_initializer,
        biases_regularizer=biases_regularizer,
        reuse=reuse,
        variables_collections=variables_collections,
        outputs_collections=outputs_collections,
        trainable=trainable,
        scope=scope,
    )


conv2d_transpose = convolution2d_transpose
conv3d_transpose = convolution3d_transpose
