"""Fully connected layers of tf.contrib.layers.

net = fully_connected(features, 64, weights_regularizer=l2_regularizer(1e-4))
logits = linear(net, 10, scope="logits")
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import initializers, scopes, utils

tf1 = tf.compat.v1
_Activation = Callable[[tf.Tensor], tf.Tensor] | None


@add_arg_scope
def fully_connected(
    inputs: Any,
    num_outputs: int,
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
    """Multiplies the last dimension by "weights" and adds "biases".

    Args:
      inputs: Tensor of rank 2 or more with a static last dimension.
      num_outputs: Size of the last dimension of the result.
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
      scope: Variable scope. The default is "fully_connected", made unique.

    Returns:
      A tensor of shape [*inputs.shape[:-1], num_outputs].

    Raises:
      ValueError: `num_outputs` is not an integer, or the last dimension of the inputs is unknown.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be int, got {type(num_outputs)}.")
    getter = scopes.getter(scopes.WEIGHTS)
    with tf1.variable_scope(
        scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter
    ) as layer_scope:
        inputs = tf.convert_to_tensor(inputs)
        layer = tf1.layers.Dense(
            num_outputs,
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


relu = functools.partial(fully_connected, activation_fn=tf.nn.relu)
relu6 = functools.partial(fully_connected, activation_fn=tf.nn.relu6)
elu = functools.partial(fully_connected, activation_fn=tf.nn.elu)
linear = functools.partial(fully_connected, activation_fn=None)


@add_arg_scope
def bias_add(
    inputs: Any,
    activation_fn: _Activation = None,
    initializer: Any = initializers.ZEROS,
    regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> tf.Tensor:
    """Adds the variable "biases", which has one element per channel.

    Args:
      inputs: Tensor of rank 2 or more. NCHW requires rank 4.
      activation_fn: Activation function, or None for a linear result.
      initializer: Initializer of the biases.
      regularizer: Regularizer of the biases.
      reuse: If true, an existing variable is reused.
      variables_collections: Collections to add the variable to, or a dict of collections with the
        key "biases".
      outputs_collections: Collections to add the result to.
      trainable: If true, the variable is trainable.
      data_format: "NHWC" (channels last) or "NCHW" (channels first).
      scope: Variable scope. The default is "BiasAdd", made unique.

    Returns:
      A tensor with the shape of the inputs.

    Raises:
      ValueError: The data format is unsupported or does not match the rank, or the number of
        channels is unknown.
    """
    scopes.check_format(data_format)
    with tf1.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as layer_scope:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None:
            raise ValueError("Dims of shape must be known but is None")
        if rank != 4 and data_format == "NCHW":
            raise ValueError("Data format NCHW only supports 4D Tensor")
        channels = inputs.shape.as_list()[1 if data_format == "NCHW" else -1]
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        biases = variables.model_variable(
            "biases",
            shape=[channels],
            dtype=inputs.dtype.base_dtype,
            initializer=initializer,
            regularizer=regularizer,
            collections=utils.get_variable_collections(variables_collections, "biases"),
            trainable=trainable,
        )
        outputs = tf1.nn.bias_add(inputs, biases, data_format=data_format)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


def legacy_fully_connected(
    x: Any,
    num_output_units: int,
    activation_fn: _Activation = None,
    weight_init: Any = initializers.XAVIER,
    bias_init: Any = initializers.ZEROS,
    name: str | None = None,
    weight_collections: Sequence[str] = (tf1.GraphKeys.WEIGHTS,),
    bias_collections: Sequence[str] = (tf1.GraphKeys.BIASES,),
    output_collections: Sequence[str] = (tf1.GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> tf.Tensor:
    """Multiplies the last dimension by "weights" and adds "bias".

    Args:
      x: Tensor of rank 2 or more with a static last dimension.
      num_output_units: Size of the last dimension of the result.
      activation_fn: Activation function, or None for a linear result.
      weight_init: Initializer of the weights.
      bias_init: Initializer of the biases, or None for no biases.
      name: Variable scope. The default is "fully_connected", made unique.
      weight_collections: Collections to add the weights to, in addition to GLOBAL_VARIABLES.
      bias_collections: Collections to add the biases to, in addition to GLOBAL_VARIABLES.
      output_collections: Collections to add the result to, in addition to ACTIVATIONS.
      trainable: If true, the variables are trainable.
      weight_regularizer: Regularizer of the weights.
      bias_regularizer: Regularizer of the biases.

    Returns:
      A tensor of shape [*x.shape[:-1], num_output_units].

    Raises:
      ValueError: The rank of `x` is unknown or less than 2, or its last dimension is unknown.
    """

    def variable(
        kind: str, shape: list[int], init: Any, regularizer: Any, existing_collections: Any
    ) -> Any:
        return tf1.get_variable(
            kind,
            shape=shape,
            dtype=x.dtype.base_dtype,
            initializer=init,
            collections=list({*(existing_collections or []), tf1.GraphKeys.GLOBAL_VARIABLES}),
            regularizer=regularizer,
            trainable=trainable,
        )

    with tf1.variable_scope(name, "fully_connected", [x]):
        x = tf.convert_to_tensor(x)
        size = _last_size(x)
        weights = variable(
            "weights", [size, num_output_units], weight_init, weight_regularizer, weight_collections
        )
        y = tf.matmul(x if x.shape.rank == 2 else tf.reshape(x, [-1, size]), weights)
        if bias_init is not None:
            bias = variable(
                "bias", [num_output_units], bias_init, bias_regularizer, bias_collections
            )
            y = tf.nn.bias_add(y, bias)
        if x.shape.rank > 2:
            y = tf.reshape(y, tf.concat([tf.shape(x)[:-1], [num_output_units]], 0))
            y.set_shape([*x.shape.as_list()[:-1], num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        tf1.add_to_collections([*(output_collections or []), tf1.GraphKeys.ACTIVATIONS], y)
        return y


def _last_size(x: tf.Tensor) -> int:
    if x.shape.rank is None:
        raise ValueError("dims of x must be known but is None")
    if x.shape.rank < 2:
        raise ValueError(f"rank of x must be at least 2 not: {x.shape.rank}")
    size = x.shape.as_list()[-1]
    if size is None:
        raise ValueError("last dimension of x must be known but is None")
    return size


legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=tf.nn.relu)
