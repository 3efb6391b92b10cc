"""Batch normalization of tf.contrib.layers.

    params = {"is_training": True}
    net = fully_connected(net, 64, normalizer_fn=batch_norm, normalizer_params=params)

Operations in the collection UPDATE_OPS update the moving averages. The train op must depend on
them. The train ops of `create_train_op` and `optimize_loss` do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import scopes, utils
from legacy.contrib.layers.moving_averages import assign_moving_average

tf1 = tf.compat.v1
_NAMES = {name: name for name in ("moving_mean", "moving_variance", "beta", "gamma")}
_FIRST = {
    "beta": tf1.zeros_initializer(),
    "gamma": tf1.ones_initializer(),
    "moving_mean": tf1.zeros_initializer(),
    "moving_variance": tf1.ones_initializer(),
}


@add_arg_scope
def batch_norm(
    inputs: Any,
    decay: float = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
    param_initializers: dict[str, Any] | None = None,
    param_regularizers: dict[str, Any] | None = None,
    updates_collections: Any = tf1.GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
    renorm: bool = False,
    renorm_clipping: dict[str, Any] | None = None,
    renorm_decay: float = 0.99,
    adjustment: Any = None,
) -> tf.Tensor:
    """Normalizes each channel to mean 0 and variance 1 over the batch.

    Args:
      inputs: Tensor with a static number of channels.
      decay: Decay of the moving averages.
      center: If true, adds the variable "beta".
      scale: If true, multiplies by the variable "gamma".
      epsilon: Small constant added to the variance.
      activation_fn: Activation function, or None for a linear result.
      param_initializers: Initializers by variable name: "beta", "gamma", "moving_mean",
        "moving_variance".
      param_regularizers: Regularizers by variable name: "beta", "gamma".
      updates_collections: Collections to add the updates of the moving averages to. If None, the
        updates run whenever the result is computed.
      is_training: Boolean or tensor. If true, uses the mean and variance of the batch, else the
        moving averages.
      reuse: If true, existing variables are reused.
      variables_collections: Collections to add the variables to, or a dict of collections by
        variable name.
      outputs_collections: Collections to add the result to.
      trainable: If true, "beta" and "gamma" are trainable.
      batch_weights: Weights of the examples in the mean and the variance, of shape [batch].
      fused: If true or None, uses one fused operation where possible.
      data_format: "NHWC" (channels last) or "NCHW" (channels first).
      zero_debias_moving_mean: If true, corrects the bias of the moving mean towards its initial
        value of zero.
      scope: Variable scope. The default is "BatchNorm", made unique.
      renorm: If true, uses batch renormalization, which normalizes by moving averages also in
        training.
      renorm_clipping: Limits of the renormalization: "rmax", "rmin", "dmax".
      renorm_decay: Decay of the moving averages of the renormalization.
      adjustment: Function of the input's shape that returns a scale and an offset, for training.

    Returns:
      A tensor with the shape of the inputs.

    Raises:
      ValueError: The data format is unsupported, the rank or the number of channels is unknown,
        or renorm is combined with an unsupported argument.
    """
    fused = True if fused is None else fused
    inputs = tf.convert_to_tensor(inputs)
    rank = inputs.shape.rank
    scopes.check_format(data_format)
    options = {
        "center": center,
        "scale": scale,
        "initializers": {**_FIRST, **(param_initializers or {})},
        "regularizers": param_regularizers or {},
        "trainable": trainable,
    }
    plain = updates_collections == tf1.GraphKeys.UPDATE_OPS and not zero_debias_moving_mean
    fusible = batch_weights is None and not renorm and rank in (2, 4) and adjustment is None
    # The same choice as in the original. It decides which variance the moving average tracks: the
    # fused operation divides by n - 1 instead of n.
    fuse = fused and fusible and (rank == 2 or not plain)
    if plain and batch_weights is None and not fuse:
        getter = scopes.getter()
        with tf1.variable_scope(
            scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=getter
        ) as layer_scope:
            layer = _layer(
                layer_scope,
                **options,
                axis=1 if data_format == "NCHW" else -1,
                momentum=decay,
                epsilon=epsilon,
                renorm=renorm,
                renorm_clipping=renorm_clipping,
                renorm_momentum=renorm_decay,
                adjustment=adjustment,
                fused=fused,
                _reuse=reuse,
            )
            outputs = layer(inputs, training=is_training)
            scopes.collect(layer, _NAMES, variables_collections)
            return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)
    if renorm:
        raise ValueError(
            "renorm is not supported with batch_weights, updates_collections or "
            "zero_debias_moving_mean"
        )
    with tf1.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as layer_scope:
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        channels = inputs.shape.as_list()[1 if data_format == "NCHW" else -1]
        if channels is None:
            raise ValueError(f"Inputs {inputs.name} has undefined `C` dimension {inputs.shape}.")
        # The fused operation has float32 parameters, also for float16 inputs.
        dtype = tf.float32 if fuse else inputs.dtype.base_dtype
        layer_variables = _variables(channels, dtype, variables_collections, **options)
        updates = _Updates(layer_variables, decay, zero_debias_moving_mean, updates_collections)
        common_arguments = (epsilon, data_format, is_training, updates)
        if fuse:
            outputs = _normalize_fused(inputs, layer_variables, *common_arguments)
        else:
            outputs = _normalize_unfused(inputs, layer_variables, *common_arguments, batch_weights)
        return scopes.finish(layer_scope.name, outputs, activation_fn, outputs_collections)


def _layer(layer_scope: Any, initializers: Any, regularizers: Any, **options: Any) -> Any:
    return tf1.layers.BatchNormalization(
        beta_initializer=initializers["beta"],
        gamma_initializer=initializers["gamma"],
        moving_mean_initializer=initializers["moving_mean"],
        moving_variance_initializer=initializers["moving_variance"],
        beta_regularizer=regularizers.get("beta"),
        gamma_regularizer=regularizers.get("gamma"),
        name=layer_scope.name,
        _scope=layer_scope,
        **options,
    )


def _variables(
    channels: int,
    dtype: Any,
    collections: Any,
    center: bool,
    scale: bool,
    initializers: Any,
    regularizers: Any,
    trainable: bool,
) -> dict[str, Any]:
    """Returns the four variables by name. "beta" and "gamma" may be None."""

    def make(name: str, trainable: bool) -> Any:
        return variables.model_variable(
            name,
            shape=[channels],
            dtype=dtype,
            initializer=initializers[name],
            regularizer=regularizers.get(name) if trainable else None,
            collections=utils.get_variable_collections(collections, name),
            trainable=trainable,
        )

    layer_variables = {
        "beta": make("beta", trainable) if center else None,
        "gamma": make("gamma", trainable) if scale else None,
    }
    with tf1.variable_scope(tf1.get_variable_scope()) as unpartitioned_scope:
        # Moving averages are never partitioned: they are read and written as a whole.
        unpartitioned_scope.set_partitioner(None)
        layer_variables["moving_mean"] = make("moving_mean", trainable=False)
        layer_variables["moving_variance"] = make("moving_variance", trainable=False)
    return layer_variables


class _Updates:
    """Updates of the moving averages, either `in_place` or by operations in collections."""

    def __init__(
        self, layer_variables: dict[str, Any], decay: float, zero_debias: bool, collections: Any
    ) -> None:
        self.moving = layer_variables["moving_mean"], layer_variables["moving_variance"]
        self.in_place = collections is None
        self._collections = collections
        self._decay, self._zero_debias = decay, zero_debias

    def _make(self, mean: tf.Tensor, variance: tf.Tensor) -> tuple[Any, Any]:
        return (
            assign_moving_average(self.moving[0], mean, self._decay, self._zero_debias),
            assign_moving_average(self.moving[1], variance, self._decay),
        )

    def collect(self, is_training: Any, moments: tuple[Any, Any]) -> None:
        """Adds the update operations to the collections."""
        updates = utils.smart_cond(is_training, lambda: self._make(*moments), lambda: self.moving)
        for update in updates:
            tf1.add_to_collections(self._collections, update)

    def update_before(self, moments: tuple[Any, Any], results: Any) -> Any:
        """Returns copies of the results that are computed after the updates."""
        with tf.control_dependencies(self._make(*moments)):
            return tf.nest.map_structure(tf.identity, results)


def _trains(is_training: Any) -> bool:
    """Returns True unless `is_training` is statically false."""
    static_value = utils.constant_value(is_training)
    return static_value is None or bool(static_value)


def _normalize_fused(
    inputs: tf.Tensor,
    layer_variables: dict[str, Any],
    epsilon: float,
    data_format: str,
    is_training: Any,
    updates: _Updates,
) -> tf.Tensor:
    """Normalizes by one fused operation, whose moving variance divides by n - 1."""
    channels = layer_variables["moving_mean"].shape.as_list()[0]
    images, flat = inputs, inputs.shape.rank == 2
    if flat:  # The fused operation accepts only images: here of 1 x 1 pixels.
        sizes = [-1, channels, 1, 1] if data_format == "NCHW" else [-1, 1, 1, channels]
        images = tf.reshape(inputs, sizes)
    beta, gamma = layer_variables["beta"], layer_variables["gamma"]
    beta = tf.zeros([channels]) if beta is None else beta
    gamma = tf.ones([channels]) if gamma is None else gamma
    moving = updates.moving

    def normalize(**options: Any) -> Any:
        return tf1.nn.fused_batch_norm(
            images, gamma, beta, epsilon=epsilon, data_format=data_format, **options
        )

    outputs, mean, variance = utils.smart_cond(
        is_training,
        normalize,
        lambda: normalize(mean=moving[0], variance=moving[1], is_training=False),
    )
    if _trains(is_training) and updates.in_place:
        moments = (mean, variance)
        outputs = utils.smart_cond(
            is_training, lambda: updates.update_before(moments, outputs), lambda: outputs
        )
    elif _trains(is_training):
        updates.collect(is_training, (mean, variance))
    outputs.set_shape(images.shape)
    return tf.reshape(outputs, tf.shape(inputs)) if flat else outputs


def _normalize_unfused(
    inputs: tf.Tensor,
    layer_variables: dict[str, Any],
    epsilon: float,
    data_format: str,
    is_training: Any,
    updates: _Updates,
    batch_weights: Any,
) -> tf.Tensor:
    """Normalizes by the mean and the variance, in which the examples may have weights."""
    rank, axis = inputs.shape.rank, 1 if data_format == "NCHW" else inputs.shape.rank - 1
    axes = [dimension for dimension in range(rank) if dimension != axis]
    mean, variance = moving = updates.moving
    if _trains(is_training):
        moments = _moments(inputs, axes, batch_weights)
        if updates.in_place:
            mean, variance = utils.smart_cond(
                is_training, lambda: updates.update_before(moments, moments), lambda: moving
            )
        else:
            updates.collect(is_training, moments)
            mean, variance = utils.smart_cond(is_training, lambda: moments, lambda: moving)
    parameters = [mean, variance, layer_variables["beta"], layer_variables["gamma"]]
    if data_format == "NCHW":
        sizes = [1, inputs.shape.as_list()[1], *[1] * (rank - 2)]
        parameters = [
            parameter if parameter is None else tf.reshape(parameter, sizes)
            for parameter in parameters
        ]
    outputs = tf.nn.batch_normalization(inputs, *parameters, epsilon)
    outputs.set_shape(inputs.shape)
    return outputs


def _moments(inputs: tf.Tensor, axes: list[int], weights: Any) -> tuple[tf.Tensor, tf.Tensor]:
    if weights is None:
        return tf1.nn.moments(inputs, axes)
    weights = tf.convert_to_tensor(weights)
    inputs.shape[:1].assert_is_compatible_with(weights.shape)
    weights = tf.reshape(weights, [-1, *[1] * (inputs.shape.rank - 1)])
    return tf1.nn.weighted_moments(inputs, axes, weights)
