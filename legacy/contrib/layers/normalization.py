"""Normalization within an example, from tf.contrib.layers.

net = layer_norm(net)
net = group_norm(images, groups=8)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import scopes, utils

tf1 = tf.compat.v1
_Activation = Callable[[tf.Tensor], tf.Tensor] | None


def _beta_and_gamma(
    shape: Any,
    dtype: Any,
    center: bool,
    scale: bool,
    initializers: dict[str, Any] | None,
    collections: Any,
    trainable: bool,
) -> list[Any]:
    """Returns the variables "beta" and "gamma", or None for a variable that is turned off."""
    all_initializers = {"beta": tf1.zeros_initializer(), "gamma": tf1.ones_initializer()}
    all_initializers.update(initializers or {})

    def make(name: str) -> Any:
        return variables.model_variable(
            name,
            shape=shape,
            dtype=dtype,
            initializer=all_initializers[name],
            collections=utils.get_variable_collections(collections, name),
            trainable=trainable,
        )

    return [make("beta") if center else None, make("gamma") if scale else None]


def _check_rank(inputs: tf.Tensor) -> int:
    if inputs.shape.rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    return inputs.shape.rank


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: _Activation = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> tf.Tensor:
    """Normalizes each example to mean 0 and variance 1.

    Args:
      inputs: Tensor of rank 2 or more.
      center: If true, adds the variable "beta".
      scale: If true, multiplies by the variable "gamma".
      activation_fn: Activation function, or None for a linear result.
      reuse: If true, existing variables are reused.
      variables_collections: Collections to add the variables to, or a dict of collections by
        variable name.
      outputs_collections: Collections to add the result to.
      trainable: If true, the variables are trainable.
      begin_norm_axis: First axis of the mean and the variance.
      begin_params_axis: First axis of "beta" and "gamma".
      scope: Variable scope. The default is "LayerNorm", made unique.

    Returns:
      A tensor with the shape of the inputs.

    Raises:
      ValueError: The rank is unknown or too small, or the shape of the parameters is unknown.
    """
    with tf1.variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as layer_scope:
        inputs = tf.convert_to_tensor(inputs)
        rank = _check_rank(inputs)
        begin_norm_axis += rank if begin_norm_axis < 0 else 0
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({begin_norm_axis}) "
                f"must be < rank(inputs) ({rank})"
            )
        shape, dtype = inputs.shape[begin_params_axis:], inputs.dtype.base_dtype
        if not shape.is_fully_defined():
            raise ValueError(
                f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: "
                f"{inputs.shape}"
            )
        beta, gamma = _beta_and_gamma(
            shape, dtype, center, scale, None, variables_collections, trainable
        )
        mean, variance = tf1.nn.moments(inputs, list(range(begin_norm_axis, rank)), keepdims=True)
        # 1e-12 would be zero as a float16.
        epsilon = 1e-3 if dtype == tf.float16 else 1e-12
        outputs = tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(inputs.shape)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


@add_arg_scope
def instance_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: _Activation = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> tf.Tensor:
    """Normalizes each channel of each example to mean 0 and variance 1.

    Args:
      inputs: Tensor with a static number of channels.
      center: If true, adds the variable "beta".
      scale: If true, multiplies by the variable "gamma".
      epsilon: Small constant added to the variance.
      activation_fn: Activation function, or None for a linear result.
      param_initializers: Initializers by variable name: "beta", "gamma".
      reuse: If true, existing variables are reused.
      variables_collections: Collections to add the variables to, or a dict of collections by
        variable name.
      outputs_collections: Collections to add the result to.
      trainable: If true, the variables are trainable.
      data_format: "NHWC" (channels last) or "NCHW" (channels first).
      scope: Variable scope. The default is "InstanceNorm", made unique.

    Returns:
      A tensor with the shape of the inputs.

    Raises:
      ValueError: The data format is unsupported, or the rank or the number of channels is
        unknown.
    """
    inputs = tf.convert_to_tensor(inputs)
    rank = _check_rank(inputs)
    scopes.check_format(data_format)
    with tf1.variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as layer_scope:
        axis = 1 if data_format == "NCHW" else rank - 1
        channels, dtype = inputs.shape.as_list()[axis], inputs.dtype.base_dtype
        if channels is None:
            raise ValueError(
                f"Inputs {inputs.name} has undefined channels dimension {inputs.shape}."
            )
        beta_and_gamma = _beta_and_gamma(
            [channels], dtype, center, scale, param_initializers, variables_collections, trainable
        )
        if data_format == "NCHW":
            sizes = [1, channels, *[1] * (rank - 2)]
            beta_and_gamma = [
                variable if variable is None else tf.reshape(variable, sizes)
                for variable in beta_and_gamma
            ]
        axes = [dimension for dimension in range(1, rank) if dimension != axis]
        mean, variance = tf1.nn.moments(inputs, axes, keepdims=True)
        outputs = tf.nn.batch_normalization(
            inputs, mean, variance, *beta_and_gamma, epsilon, name="instancenorm"
        )
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


@add_arg_scope
def group_norm(
    inputs: Any,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: _Activation = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    mean_close_to_zero: bool = False,
) -> tf.Tensor:
    """Normalizes groups of channels of each example to mean 0 and variance 1.

    Args:
      inputs: Tensor with a static number of channels.
      groups: Number of groups. It must divide the number of channels.
      channels_axis: Axis of the channels.
      reduction_axes: Axes of the mean and the variance, in addition to the channels of a group.
      center: If true, adds the variable "beta".
      scale: If true, multiplies by the variable "gamma".
      epsilon: Small constant added to the variance.
      activation_fn: Activation function, or None for a linear result.
      param_initializers: Initializers by variable name: "beta", "gamma".
      reuse: If true, existing variables are reused.
      variables_collections: Collections to add the variables to, or a dict of collections by
        variable name.
      outputs_collections: Collections to add the result to.
      trainable: If true, the variables are trainable.
      scope: Variable scope. The default is "GroupNorm", made unique.
      mean_close_to_zero: If true, computes the variance from the mean of squares, which is faster
        and less exact.

    Returns:
      A tensor with the shape of the inputs.

    Raises:
      ValueError: Axes or groups do not match the shape, or a dimension is unknown.
    """
    inputs = tf.convert_to_tensor(inputs)
    axis, axes = _group_axes(inputs, channels_axis, reduction_axes)
    channels = inputs.shape.as_list()[axis]
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    dynamic = tf.shape(inputs)
    sizes = [dynamic[i] if size is None else size for i, size in enumerate(inputs.shape.as_list())]
    group_shape = [*sizes[:axis], groups, channels // groups, *sizes[axis + 1 :]]
    split = tf.reshape(inputs, group_shape)
    # The split adds an axis after the channels axis, so that all later axes move by one.
    moment_axes = [axis + 1, *(later_axis + (later_axis > axis) for later_axis in axes)]
    with tf1.variable_scope(scope, "GroupNorm", [split], reuse=reuse) as layer_scope:
        beta_and_gamma = _beta_and_gamma(
            [channels],
            inputs.dtype.base_dtype,
            center,
            scale,
            param_initializers,
            variables_collections,
            trainable,
        )
        broadcast_shape = [1] * len(group_shape)
        broadcast_shape[axis : axis + 2] = group_shape[axis : axis + 2]
        beta, gamma = (
            variable if variable is None else tf.reshape(variable, broadcast_shape)
            for variable in beta_and_gamma
        )
        if mean_close_to_zero:
            count, mean, variance, _ = tf1.nn.sufficient_statistics(
                split, moment_axes, keepdims=True
            )
            mean, variance = tf.nn.normalize_moments(count, mean, variance, shift=None)
        else:
            mean, variance = tf1.nn.moments(split, moment_axes, keepdims=True)
        outputs = tf.nn.batch_normalization(split, mean, variance, beta, gamma, epsilon)
        outputs = tf.reshape(outputs, sizes)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


def _group_axes(
    inputs: tf.Tensor, channels_axis: int, reduction_axes: Sequence[int]
) -> tuple[int, list[int]]:
    """Returns the channels axis and the reduction axes as non-negative numbers."""
    rank = _check_rank(inputs)
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    channels_axis += rank if channels_axis < 0 else 0
    if inputs.shape.as_list()[channels_axis] is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {channels_axis}.")
    axes = [axis + rank if axis < 0 else axis for axis in reduction_axes]
    for axis in axes:
        if axis >= rank:
            raise ValueError("Axis is out of bounds.")
        if inputs.shape.as_list()[axis] is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {axis}.")
        if axis == channels_axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    return channels_axis, axes


@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> tf.Tensor:
    """Divides by the L2 norm along a dimension.

    Args:
      inputs: Tensor of known rank.
      dim: Dimension to normalize.
      epsilon: Small constant added to the sum of squares.
      scope: Variable scope. The default is "UnitNorm".

    Returns:
      A tensor with the shape of the inputs.

    Raises:
      ValueError: The rank is unknown, or the dimension is out of range.
    """
    with tf1.variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.shape.rank
        if not rank:
            raise ValueError("The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        return inputs / tf.sqrt(epsilon + tf.reduce_sum(tf.square(inputs), dim, keepdims=True))
