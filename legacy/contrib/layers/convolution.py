"""Convolutional layers of tf.contrib.layers.

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
    """Convolves the inputs with "weights" and adds "biases".

    Args:
      inputs: Tensor of rank 3, 4 or 5 with a static number of channels.
      num_outputs: Number of channels of the result.
      kernel_size: Window size: a number, or a sequence with one number per spatial dimension.
      stride: Stride: a number, or a sequence with one number per spatial dimension. It can differ
        from 1 only if the rate is 1.
      padding: Padding: "SAME" or "VALID".
      data_format: Data format, such as "NHWC" or "NCHW". The default is channels last.
      rate: Dilation rate. It can differ from 1 only if the stride is 1.
      activation_fn: Activation function, or None for a linear result.
      normalizer_fn: Normalizer to apply before the activation instead of biases, such as
        `batch_norm`.
      normalizer_params: Keyword arguments of the normalizer.
      weights_initializer: Initializer of the weights.
      weights_regularizer: Regularizer of the weights.
      biases_initializer: Initializer of the biases, or None for no biases.
      biases_regularizer: Regularizer of the biases.
      reuse: If true, existing variables are reused.
      variables_collections: Collections to add the variables to, or a dict of collections with the
        keys "weights" and "biases".
      outputs_collections: Collections to add the result to.
      trainable: If true, the variables are trainable.
      scope: Variable scope. The default is "Conv", made unique.
      conv_dims: Required number of spatial dimensions, or None for 1 to 3.

    Returns:
      The output of the convolution.

    Raises:
      ValueError: The data format or the rank of the inputs is unsupported.
    """
    if data_format not in _FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    getter = scopes.getter(scopes.WEIGHTS)
    with tf1.variable_scope(
        scope, "Conv", [inputs], reuse=reuse, custom_getter=getter
    ) as layer_scope:
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
            name=layer_scope.name,
            dtype=inputs.dtype.base_dtype,
            _scope=layer_scope,
            _reuse=reuse,
        )
        outputs = scopes.use_layer(layer, inputs, scopes.WEIGHTS, variables_collections)
        outputs = scopes.normalize(outputs, normalizer_fn, normalizer_params)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


def _of_dims(dims: int) -> Callable[..., tf.Tensor]:
    """Returns the convolution over a number of spatial dimensions."""

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
    # arg_scope identifies a function by its repr, which contains its address. The decorated
    # function keeps the original alive, so that no other function takes its address.
    return add_arg_scope(convolve)


convolution1d = conv1d = _of_dims(1)
convolution2d = conv2d = _of_dims(2)
convolution3d = conv3d = _of_dims(3)
