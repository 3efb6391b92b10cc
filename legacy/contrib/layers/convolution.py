"""Convolutional layers: tf.contrib.layers's.

net = conv2d(images, 32, 3, stride=2, normalizer_fn=batch_norm)
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

_LAYERS = {3: "Conv1D", 4: "Conv2D", 5: "Conv3D"}  # By the rank of the input.
_FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")


@add_arg_scope
def convolution(
    inputs: Any,
    num_outputs: int,
    kernel_size: _Size,
    stride: _Size = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: _Size = 1,
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
    conv_dims: int | None = None,
) -> tf.Tensor:
    """Convolves with "weights" and adds "biases".

    Args:
      inputs: A tensor of rank 3, 4 or 5 whose channels are known.
      num_outputs: The number of channels of the result.
      kernel_size: The window: one number, or one per dimension.
      stride: From window to window; other than 1 only with a rate of 1.
      padding: "SAME" or "VALID".
      data_format: With channels last, the default, or second: "NCHW" and the like.
      rate: The distance between elements of a window; other than 1 only with a stride of 1.
      activation_fn: Applied at the end; None for none.
      normalizer_fn: Applied before, in place of biases, such as `batch_norm`.
      normalizer_params: Its arguments.
      weights_initializer: First weights.
      weights_regularizer: Loss on the weights.
      biases_initializer: First biases; None for no biases.
      biases_regularizer: Loss on the biases.
      reuse: Whether variables that are there are used again.
      variables_collections: Collections for the variables, or a dict of "weights" and "biases".
      outputs_collections: Collections for the result.
      trainable: Whether the variables are trained.
      scope: The variable scope; "Conv" by default, made unique.
      conv_dims: How many dimensions the input must have beside batch and channels.

    Returns:
      The result.

    Raises:
      ValueError: The format is another, or the rank is none of these.
    """
    if data_format not in _FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    getter = scopes.getter(scopes.WEIGHTS)
    with tf1.variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
        if rank not in _LAYERS:
            raise ValueError(f"Convolution not supported for input with rank {rank}")
        layer = getattr(tf1.layers, _LAYERS[rank])(
            num_outputs,
            kernel_size,
            strides=stride,
            padding=padding,
            data_format=scopes.keras_format(data_format),
            dilation_rate=rate,
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=opened.name,
            dtype=inputs.dtype.base_dtype,
            _scope=opened,
            _reuse=reuse,
        )
        outputs = scopes.use_layer(layer, inputs, scopes.WEIGHTS, variables_collections)
        outputs = scopes.normalized(outputs, normalizer_fn, normalizer_params)
        return scopes.finish(opened.name, outputs, activation_fn, outputs_collections)


def _of_dims(dims: int) -> Callable[..., tf.Tensor]:
    """Makes the convolution over a number of dimensions."""

    def convolve(
        inputs: Any,
        num_outputs: int,
        kernel_size: _Size,
        stride: _Size = 1,
        padding: str = "SAME",
        data_format: str | None = None,
        rate: _Size = 1,
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
        return convolution(
            inputs,
            num_outputs,
            kernel_size,
            stride,
            padding,
            data_format,
            rate,
            activation_fn,
            normalizer_fn,
            normalizer_params,
            weights_initializer,
            weights_regularizer,
            biases_initializer,
            biases_regularizer,
            reuse,
            variables_collections,
            outputs_collections,
            trainable,
            scope,
            conv_dims=dims,
        )

    convolve.__name__ = convolve.__qualname__ = f"convolution{dims}d"
    convolve.__doc__ = f"`convolution` of a tensor of rank {dims + 2}; arguments as there."
    # A scope knows functions by what they print, which ends in the address: kept as long as this.
    return add_arg_scope(convolve)


convolution1d = conv1d = _of_dims(1)
convolution2d = conv2d = _of_dims(2)
convolution3d = conv3d = _of_dims(3)
